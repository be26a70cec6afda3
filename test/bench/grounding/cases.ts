import type { CheckoutName } from './checkouts.ts';

/** One request as a person writes it, and the files that this person would have to open. */
export interface Case {
  readonly checkout: CheckoutName;
  readonly request: string;
  readonly expected: readonly string[];
}

const of = (checkout: CheckoutName, cases: readonly (readonly [request: string, ...expected: string[]])[]): Case[] =>
  cases.map(([request, ...expected]) => ({ checkout, request, expected }));

/**
 * Symptoms, messages and identifiers, never names of files. A word that is also part of a path is left in where a
 * person would say it: names do help. Every expected file is small enough to be selected by default.
 */
export const cases: readonly Case[] = [
  ...of('zod', [
    [
      'We get "Error: .pick() cannot be used on object schemas containing refinements" since the upgrade, although our refinement was added after the fact. Where is this decided and can it be relaxed?',
      'src/v4/core/util.ts',
      'src/v4/classic/tests/pickomit.test.ts',
    ],
    [
      'Encoding fails with "Encountered unidirectional transform during encode: ZodTransform". The message should say at which path of the value the transform sits.',
      'src/v4/core/core.ts',
    ],
    [
      'prettifyError prints "→ at [0].name" for an array at the top; we want "items[0].name". Have a look at how toDotPath joins keys with dots.',
      'src/v4/core/errors.ts',
      'src/v4/classic/tests/error-utils.test.ts',
    ],
    [
      'A ksuid of 27 characters that is above the highest possible timestamp is accepted, and so is an e164 number with six digits. Tighten both patterns.',
      'src/v4/core/regexes.ts',
    ],
    [
      'Error: Duplicate schema id "User" detected during JSON Schema conversion. Both are the very same schema, only cloned with a description.',
      'src/v4/core/to-json-schema.ts',
      'src/v4/classic/tests/registries.test.ts',
    ],
    [
      'multipleOf(0.0000001) rejects 0.0000003. I believe that floatSafeRemainder loses digits when the step is written with an exponent.',
      'src/v4/core/util.ts',
      'src/v4/core/checks.ts',
    ],
    [
      'Parsing my tree with parent links throws ZodCyclicError: "Cannot parse a reference cycle that closes through a transform". How does it detect a back edge?',
      'src/v4/core/memoizer.ts',
      'src/v4/classic/tests/cyclic-data.test.ts',
    ],
    [
      'A customer from Budapest says that "Túl kicsi: a bemeneti érték túl kicsi" sounds like a machine. Improve the wording of minimum and maximum in that language.',
      'src/v4/locales/hu.ts',
    ],
    [
      'After globalRegistry.remove(schema) a schema of the same id can not be added again, as if _idmap still held the old one.',
      'src/v4/core/registries.ts',
    ],
    [
      'On a Cloudflare worker the probe "new Function" is reported as a securitypolicyviolation. When is allowsEval evaluated, and does jitless stop it?',
      'src/v4/core/util.ts',
      'src/v4/classic/tests/jitless-allows-eval.test.ts',
    ],
    [
      'Importing an OpenAPI document dies with "unevaluatedProperties is not supported", and the same for dependentSchemas. Ignore them with a warning instead of throwing.',
      'src/v4/classic/from-json-schema.ts',
    ],
    [
      'In the old API addIssueToContext runs the error maps in the wrong order, and ParseStatus.mergeObjectSync drops keys that are __proto__ silently.',
      'src/v3/helpers/parseUtil.ts',
    ],
    [
      'Is setErrorMap deprecated? My editor strikes it through, and getErrorMap and ZodFirstPartyTypeKind too. Say in the comments what replaces them.',
      'src/v4/classic/compat.ts',
    ],
    [
      'z.compile throws ZodCompileUnsupportedError "comparison check with NaN bound". I expected it to fall back to the runtime parser for that node alone.',
      'src/v4/core/compile.ts',
    ],
    [
      'The source that is generated for a parser has wrong indentation after a child threw in the middle of a block: lines should be dedented by their least leading space.',
      'src/v4/core/doc.ts',
    ],
  ]),
  ...of('pino', [
    [
      'Startup fails with "pino – redact must contain an array of strings" although I gave an object with paths and censor.',
      'lib/redaction.js',
    ],
    [
      'My worker is an ES module with a default export, and still I get "Error: exported worker is not a function" in production.',
      'lib/transport-stream.js',
    ],
    [
      'In our bundle: unable to determine transport target for "pino-pretty". The absolute path should be taken from __bundlerPathsOverrides.',
      'lib/transport.js',
    ],
    [
      'TypeError "stream object needs to implement either StreamEntry or DestinationStream interface" for a PassThrough from another realm.',
      'lib/multistream.js',
    ],
    [
      'We add a level named info with another number and get "levels cannot be overridden"; "pre-existing level values cannot be used for new levels" is unclear as well.',
      'lib/levels.js',
      'test/custom-levels.test.js',
    ],
    [
      'Our service crashes with EPIPE when its output is piped to head. Is there a listener for this error on the destination?',
      'lib/tools.js',
      'test/broken-pipe.test.js',
    ],
    [
      'isoTime is slow: a profile shows toISOString at the top. Cache the text for the same millisecond.',
      'lib/time.js',
    ],
    [
      'logger.child() without an argument throws "missing bindings for child Pino"; make the argument optional in Node and on web pages alike.',
      'lib/proto.js',
      'browser.js',
    ],
    [
      'The page dies at load with "pino: transmit option must have a send function" when send is an async arrow.',
      'browser.js',
    ],
    [
      'With dedupe set, a record at level error is written to the stream for info as well. The loop should stop at the first match from the highest level down.',
      'lib/multistream.js',
      'test/multistream.test.js',
    ],
    [
      'Nested objects come out as "[Object]" below the fifth step. Where are the defaults of depthLimit and edgeLimit, and can they be raised?',
      'pino.js',
      'docs/api.md',
    ],
    [
      'getCallers gives an empty list when Error.stackTraceLimit is 0, and then prepareStackTrace stays replaced.',
      'lib/caller.js',
    ],
    [
      'Subscribe to tracing channels: start and end are published around asJson, but an exception in a serializer leaves the span open.',
      'lib/tools.js',
      'docs/diagnostics.md',
      'test/diagnostics.test.js',
    ],
    [
      'Setting logger.levelVal throws "levelVal is read-only", and flush complains "callback must be a function" when I pass null.',
      'lib/proto.js',
    ],
  ]),
  ...of('resolve', [
    [
      'TypeError: `readFileSync` and `readPackageSync` are mutually exclusive. Say which of the two won.',
      'lib/sync.js',
    ],
    [
      'A package whose main is a number ends in INVALID_PACKAGE_MAIN; node falls back to index. Do the same.',
      'lib/sync.js',
      'lib/async.js',
    ],
    [
      'In a container where HOME, LOGNAME and USER are unset we get null instead of /root for uid 0. Add a case for getuid that is missing.',
      'lib/homedir.js',
      'test/homedir.js',
    ],
    [
      'On a UNC share like \\\\server\\share the directories that getNodeModulesDirs gives lose their prefix, and drive letters too.',
      'lib/node-modules-paths.js',
    ],
    [
      'npx prints "must be run directly as an executable" on Alpine, where npm_lifecycle_event is not set. Also "Unknown argument --preserve-symlinks=1".',
      'bin/resolve',
    ],
    ['prepareStackTrace is not restored when getFileName throws on a short stack.', 'lib/caller.js'],
    [
      'Yarn PnP replaces a passthrough at runtime to inject special logic by manipulating the options. Where is that hook?',
      'lib/normalize-options.js',
    ],
    [
      'With includeCoreModules: false the util package of the application is still not preferred to the one of node.',
      'test/shadowed_core.js',
      'lib/sync.js',
      'lib/async.js',
    ],
    [
      'wasi and diagnostics_channel are reported wrong for node 18.17: correct the version ranges of what is built in.',
      'lib/core.json',
    ],
    [
      'The callback gets ENOENT from maybeRealpath when preserveSymlinks is false and the target was deleted in between.',
      'lib/async.js',
      'test/symlinks.js',
    ],
    [
      'How should a maintainer act when a vulnerability is disclosed: who is told first, and within how many days?',
      '.github/INCIDENT_RESPONSE_PROCESS.md',
      'SECURITY.md',
    ],
  ]),
];
