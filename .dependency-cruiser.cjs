/** The arrows of the house run one way: schemas <- machines <- src; a door never imports another door. */
const doors = ['mcp', 'workspace', 'cli', 'inspector'];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'schemas-import-nothing-of-ours',
      severity: 'error',
      from: { path: '^schemas/' },
      to: { path: '^(machines|src)/' },
    },
    {
      name: 'machines-import-schemas-only',
      severity: 'error',
      from: { path: '^machines/' },
      to: { path: '^src/' },
    },
    {
      name: 'pure-rooms-touch-no-world',
      severity: 'error',
      comment:
        'schemas/ and machines/ read no clock, no disk, no network; hashing is the one thing they take from Node.',
      from: { path: '^(schemas|machines)/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    ...doors.map((door) => ({
      name: `door-${door}-imports-no-door`,
      severity: 'error',
      from: { path: `^src/${door}/` },
      to: { path: `^src/(${doors.filter((other) => other !== door).join('|')})/` },
    })),
    {
      name: 'only-main-knows-the-doors',
      severity: 'error',
      from: { path: '^src/(controller|ledger|grounding|sdk|wireText)/' },
      to: { path: `^src/(${doors.join('|')})/` },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
