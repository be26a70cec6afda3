/** Which file names look as if they hold a secret: by name alone, before a byte is read. */

const secretSegments = new Set(['credential', 'credentials', 'secret', 'secrets', '.ssh', '.gnupg', '.aws', '.kube']);

const secretBases = new Set([
  '.git-credentials',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.pypirc',
  '.htpasswd',
  '.vault-token',
  'kubeconfig',
  '.dockerconfigjson',
  '.pgpass',
]);

/** Names that count alone or before a dot: `id_rsa`, `id_rsa.pub`, `secrets.yml`. */
const secretStems = new Set([
  'credential',
  'credentials',
  'secret',
  'secrets',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  'id_rsa',
]);

const secretEndings = [
  '.key',
  '.p12',
  '.pfx',
  '.pem',
  '.env',
  '.tfstate',
  '.tfstate.backup',
  '.tfvars',
  '.tfvars.json',
  '.jks',
  '.keystore',
  '.kdbx',
  '.ovpn',
  '.ppk',
];

/** `web.env.local`: an environment file may have a name of its own and say where it is for. */
const environmentOfStage = /\.env\.(?:local|dev|development|test|staging|prod|production)(?:\.local)?$/;

/** These four document an environment file and hold no values; the content rules still apply to them. */
const documentedEnvironments = new Set(['.env.example', '.env.sample', '.env.template', '.env.dist']);

/**
 * Says whether a path names something that usually holds a secret. Takes a path relative to the repository with `/`
 * between its segments; case does not matter. Never throws. Rule: grounding section 7, secret-like names.
 */
export function secretLikeName(path: string): boolean {
  const segments = path.toLowerCase().split('/');
  if (segments.some((segment) => secretSegments.has(segment))) return true;
  const base = segments.at(-1) ?? '';
  if (base.startsWith('.env')) return !documentedEnvironments.has(base);
  if (secretBases.has(base)) return true;
  const dot = base.indexOf('.');
  if (secretStems.has(dot > 0 ? base.slice(0, dot) : base)) return true;
  if (/^service-account[._-]/.test(base)) return true;
  if (environmentOfStage.test(base)) return true;
  if (secretEndings.some((ending) => base.endsWith(ending))) return true;
  return base === 'config.json' && segments.includes('.docker');
}
