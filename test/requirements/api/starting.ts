import type { Requirement } from '../requirement.ts';

/** The tools that begin a run, ground it and say what comes next. */
export const starting: readonly Requirement[] = [
  {
    id: 'API-050',
    source: 'Tools',
    surface: 'mcp',
    behaviour: 'The server exposes eleven tools and no more.',
    proofs: [
      'mcp/toolList.test.ts > names the eleven tools of the argument schemas',
      'mcp/toolList.test.ts > is the golden one',
    ],
  },

  {
    id: 'API-051',
    source: 'Start',
    surface: 'mcp',
    behaviour: 'The original request is stored as an artifact, exactly as it was sent.',
    proofs: [
      'requirements/start.test.ts > stores the exact request',
      'start/start.test.ts > stores the request exactly as sent',
    ],
  },
  {
    id: 'API-052',
    source: 'Start',
    surface: 'mcp',
    behaviour: 'A run envelope is made that refers to the request.',
    proofs: [
      'requirements/start.test.ts > an envelope that refers to it',
      'start/start.test.ts > writes an envelope that stays active',
    ],
  },
  {
    id: 'API-053',
    source: 'Start',
    surface: 'mcp',
    decision: 19,
    behaviour: 'The request is required, not blank, and has at most 32,768 characters, however many bytes they have.',
    proofs: [
      'requirements/start.test.ts > takes 1 to 32,768 characters',
      'start/start.test.ts > takes 32,768 characters, however many bytes they have',
    ],
  },
  {
    id: 'API-054',
    source: 'Start',
    surface: 'mcp',
    behaviour: 'The mode is required and one of five words.',
    proofs: [
      'requirements/start.test.ts > one of five modes',
      'mcp/arguments.test.ts > %s misses each required argument by name',
    ],
  },
  {
    id: 'API-055',
    source: 'Start',
    surface: 'mcp',
    behaviour: 'The name of the host is optional.',
    proofs: [
      'mcp/arguments.test.ts > %s takes its required arguments alone',
      'start/start.test.ts > writes an envelope that stays active',
    ],
  },
  {
    id: 'API-056',
    source: 'Start',
    surface: 'mcp',
    behaviour: 'Capabilities of the host, grants and denials are optional lists.',
    proofs: [
      'mcp/arguments.test.ts > %s takes its required arguments alone',
      'permissions/broker.test.ts > takes an empty grant for a grant, and an absent one for the default',
      'permissions/broker.test.ts > follows a denial of the envelope',
    ],
  },
  {
    id: 'API-057',
    source: 'Start',
    surface: 'mcp',
    behaviour: 'native_subagents is available, unavailable or unknown.',
    proofs: ['requirements/start.test.ts > takes three words for native_subagents'],
  },
  {
    id: 'API-061',
    source: 'Start',
    surface: 'mcp',
    behaviour: 'At most 256 commands are listed.',
    proofs: ['requirements/start.test.ts > refuses 257 commands or hosts and takes 256'],
  },
  {
    id: 'API-062',
    source: 'Start',
    surface: 'mcp',
    behaviour: 'At most 256 hosts are listed, each a DNS name or an IP address.',
    proofs: [
      'requirements/start.test.ts > refuses 257 commands or hosts and takes 256',
      'permissions/conformance.test.ts > of hosts is canonical as row %s says',
    ],
  },
  {
    id: 'API-063',
    source: 'Start',
    surface: 'permissions',
    behaviour: 'The vocabulary of capabilities has twelve words.',
    proofs: ['permissions/conformance.test.ts > has exactly the words of the rows'],
  },
  {
    id: 'API-064',
    source: 'Start',
    surface: 'permissions',
    behaviour:
      'The effective authority is an intersection: never above the grant or the ceiling of the mode, nothing of what is denied.',
    proofs: [
      'permissions/algebra.test.ts > never exceeds the grant or the ceiling and holds nothing that is denied',
      'permissions/conformance.test.ts > intersects as row %s says',
    ],
  },
  {
    id: 'API-065',
    source: 'Start',
    surface: 'permissions',
    behaviour: 'A capability that the host names is not granted by that.',
    proofs: ['requirements/start.test.ts > only when host and user both name it'],
  },
  {
    id: 'API-066',
    source: 'Start',
    surface: 'permissions',
    behaviour: 'shell.execute needs both lists, and a command that equals an entry of the allowlist exactly.',
    proofs: [
      'requirements/start.test.ts > is allowed for a listed command alone',
      'permissions/targets.test.ts > equals an entry byte for byte, and placeholders equal nothing',
    ],
  },
  {
    id: 'API-067',
    source: 'Start',
    surface: 'permissions',
    behaviour: 'Without authorization_granted the mode decides, and no mode grants shell execution.',
    proofs: [
      'requirements/start.test.ts > is not granted by the default of %s',
      'permissions/conformance.test.ts > gives %s the ceiling and the default grant of the rows',
    ],
  },
  {
    id: 'API-068',
    source: 'Start',
    surface: 'permissions',
    behaviour: 'Wildcards, the old placeholder `authorized` and compound shell syntax are refused in the allowlist.',
    proofs: [
      'requirements/start.test.ts > refuses wildcards, the old placeholder and compound commands',
      'permissions/conformance.test.ts > of commands is judged as row %s says',
      'permissions/targets.test.ts > lets no listed command hold a character that joins, expands or hides',
    ],
  },
  {
    id: 'API-069',
    source: 'Start',
    surface: 'permissions',
    behaviour: 'shell.inspect takes one of six typed read-only targets.',
    proofs: [
      'requirements/start.test.ts > is not what shell.inspect is',
      'permissions/targets.test.ts > allows an inspection by one of the six names alone',
    ],
  },
  {
    id: 'API-070',
    source: 'Start',
    surface: 'permissions',
    behaviour: 'shell.inspect lets no raw command through.',
    proofs: [
      'requirements/start.test.ts > that takes six names and no command',
      'rules/workResult.test.ts > ADM-RESULT-05 refuses an inspection without a name of its own',
    ],
  },
  {
    id: 'API-071',
    source: 'Start',
    surface: 'permissions',
    behaviour: 'network.read needs to stand in both lists of capabilities.',
    proofs: ['requirements/start.test.ts > need the capability in both lists'],
  },
  {
    id: 'API-072',
    source: 'Start',
    surface: 'permissions',
    behaviour: 'The host of a target URL has to equal an entry of network_read_domains.',
    proofs: [
      'requirements/start.test.ts > are allowed for listed hosts',
      'permissions/targets.test.ts > agrees with the URL parser on every host that it accepts',
    ],
  },
  {
    id: 'API-073',
    source: 'Start',
    surface: 'permissions',
    behaviour: 'Entries with scheme, path, port, credentials or wildcard are refused.',
    proofs: ['requirements/start.test.ts > take exact names in their list'],
  },
  {
    id: 'API-074',
    source: 'Start',
    surface: 'permissions',
    behaviour: 'A listed name does not imply the names below it.',
    proofs: ['requirements/start.test.ts > and never for other or lower names'],
  },
  {
    id: 'API-075',
    source: 'Start',
    surface: 'permissions',
    behaviour: 'The port of a URL does not matter.',
    proofs: ['requirements/start.test.ts > whatever the port'],
  },

  {
    id: 'API-080',
    source: 'Grounding',
    surface: 'grounding',
    behaviour: 'The inventory of the repository is bounded.',
    proofs: [
      'grounding/inventoryCollector.test.ts > takes 300,000 names and keeps the first of them',
      'grounding/selection.test.ts > stays within every budget',
    ],
  },
  {
    id: 'API-081',
    source: 'Grounding',
    surface: 'grounding',
    behaviour: 'The exact text of each selected file is stored, and stored once.',
    proofs: [
      'grounding/ground.test.ts > stores the exact text of each file',
      'grounding/selection.test.ts > reads a link at its target, which then counts as a copy',
      'ledger/damage.test.ts > equal bodies > share one row',
    ],
  },
  {
    id: 'API-082',
    source: 'Grounding',
    surface: 'grounding',
    behaviour: 'The call submits the manifest, which belongs to the controller.',
    proofs: [
      'controller/controller.test.ts > grounds the repository: documents, then the manifest',
      'requirements/submission.test.ts > of a body that the controller writes is refused',
    ],
  },
  {
    id: 'API-083',
    source: 'Grounding',
    surface: 'mcp',
    behaviour: 'It takes the run with the current action and version, and nothing stale.',
    proofs: [
      'controller/controller.test.ts > refuses a stale version and a foreign action',
      'mcp/arguments.test.ts > %s misses each required argument by name',
    ],
  },
  {
    id: 'API-084',
    source: 'Grounding',
    surface: 'grounding',
    behaviour: 'Active paths are optional.',
    proofs: [
      'grounding/activePaths.test.ts > are taken relative or absolute',
      'mcp/arguments.test.ts > %s takes its required arguments alone',
    ],
  },
  {
    id: 'API-085',
    source: 'Grounding',
    surface: 'grounding',
    behaviour: 'An optional budget bounds files, bytes of a file, bytes in all and the inventory.',
    proofs: [
      'grounding/ground.test.ts > takes every limit at its edges',
      'grounding/ground.test.ts > refuses %j as an input error that says what would work',
      'requirements/schemas.test.ts > are named in snake_case, nested ones included',
    ],
  },
  {
    id: 'API-086',
    source: 'Grounding',
    surface: 'grounding',
    behaviour: 'Git is asked first, then ripgrep, then the file system.',
    proofs: [
      'grounding/inventory.test.ts > holds tracked files and what ignore rules do not hide',
      'grounding/inventory.test.ts > name a missing Git, and walk without a repository (T22)',
      'grounding/inventory.test.ts > ask ripgrep for names ended by NUL',
      'grounding/inventory.test.ts > list by ripgrep with the ignore rules of the repository',
    ],
  },
  {
    id: 'API-087',
    source: 'Grounding',
    surface: 'grounding',
    behaviour: 'Paths that lead out of the repository are refused.',
    proofs: ['grounding/activePaths.test.ts > that leave the root are refused with path, root and a way out (T26)'],
  },
  {
    id: 'API-088',
    source: 'Grounding',
    surface: 'grounding',
    behaviour: 'Links that lead out are not read, even when they appear in the middle of a read.',
    proofs: [
      'grounding/readFile.test.ts > follows links inside the root and tells each that leads out (T26)',
      'grounding/readFile.test.ts > never reads outside: the file becomes a link (%s)',
      'grounding/readFile.test.ts > never reads outside: the directory becomes a link (%s)',
    ],
  },
  {
    id: 'API-089',
    source: 'Grounding',
    surface: 'grounding',
    behaviour: 'Paths that are known as generated or look like secrets are left out.',
    proofs: [
      'grounding/inventory.test.ts > is every directory of tools, at any depth',
      'secrets/names.test.ts > counts %j',
    ],
  },
  {
    id: 'API-090',
    source: 'Grounding',
    surface: 'grounding',
    behaviour: 'Files whose content looks like a secret are left out.',
    proofs: [
      'grounding/readFile.test.ts > names the pattern of a secret and nothing of it',
      'secrets/content.test.ts > finds %s in %j',
      'grounding/secretTables.test.ts > gives every ordinary file and no secret one',
    ],
  },
  {
    id: 'API-091',
    source: 'Grounding',
    surface: 'grounding',
    behaviour: 'The ranking is deterministic.',
    proofs: [
      'grounding/ranking.test.ts > does not depend on the order of the listing',
      'grounding/ground.test.ts > the same repository gives the same bytes',
      'grounding/determinism.test.ts > under other locales and time zones',
      'grounding/determinism.test.ts > the order in which anything is listed, read or counted',
    ],
  },
  {
    id: 'API-092',
    source: 'Grounding',
    surface: 'grounding',
    behaviour: 'What was left out is counted by reason.',
    proofs: ['grounding/selection.test.ts > counts each reason that a still disk can give'],
  },
  {
    id: 'API-093',
    source: 'Grounding',
    surface: 'grounding',
    behaviour: 'It reads the repository and writes only to the state of Telic.',
    proofs: [
      'grounding/ground.test.ts > writes nothing into the repository',
      'grounding/gitPrograms.test.ts > is left byte for byte as it was',
    ],
  },

  {
    id: 'API-101',
    source: 'Next action',
    surface: 'mcp',
    behaviour:
      'A running phase has an action with role, inputs, manifest, work node, type and schemas, permissions, budgets and stop conditions.',
    proofs: [
      'requirements/run.test.ts > that says all that the phase needs',
      'projection/nextAction.test.ts > the work node > is the first in plan order whose dependencies completed',
      'projection/nextAction.test.ts > names the latest manifest, or none',
      'projection/nextAction.test.ts > are those of the run, the envelope and what the plans leave of the calls',
    ],
  },
  {
    id: 'API-102',
    source: 'Next action',
    surface: 'mcp',
    behaviour: 'While the run is unchanged the same action comes back, byte for byte.',
    proofs: [
      'requirements/run.test.ts > is the same, byte for byte',
      'projection/nextAction.test.ts > two reads are byte-identical',
    ],
  },
  {
    id: 'API-103',
    source: 'Next action',
    surface: 'mcp',
    behaviour: 'inputRefs is a list to read, no access list: every artifact of the run can be read.',
    proofs: ['requirements/run.test.ts > lists inputs to read, and locks none of the others away'],
  },
  {
    id: 'API-104',
    source: 'Next action',
    surface: 'machines',
    behaviour:
      'The list holds what is mandatory, then what that cites among the eligible types, then the newest Evidence that fits.',
    proofs: [
      'projection/inputs.test.ts > %s: what is current and what it rests on',
      'projection/inputs.test.ts > closed under the references among eligible artifacts',
      'projection/inputs.test.ts > fills up to 256 with the newest Evidence',
    ],
  },
  {
    id: 'API-105',
    source: 'Next action',
    surface: 'machines',
    behaviour: 'More than 256 mandatory references are an error; none is dropped.',
    proofs: [
      'projection/inputs.test.ts > fails rather than drop one of 257',
      'projection/inputs.test.ts > takes 256 mandatory artifacts',
    ],
  },
  {
    id: 'API-106',
    source: 'Next action',
    surface: 'mcp',
    behaviour: 'An action is of the kind phase, clarification or terminal.',
    proofs: [
      'requirements/run.test.ts > is in every phase one valid NextAction',
      'schemas/jsonSchema.test.ts > of NextAction is one of its three variants',
    ],
  },
  {
    id: 'API-107',
    source: 'Next action',
    surface: 'machines',
    behaviour: 'A clarification names the stored question and permits nothing.',
    proofs: ['projection/nextAction.test.ts > shows its question and permits nothing'],
  },
  {
    id: 'API-108',
    source: 'Next action',
    surface: 'machines',
    behaviour: 'A terminal action holds the final status, and the reference of the report where there is one.',
    proofs: [
      'projection/nextAction.test.ts > that is %s by a report of %s has the status %s',
      'projection/nextAction.test.ts > that was cancelled has no report',
    ],
  },
];
