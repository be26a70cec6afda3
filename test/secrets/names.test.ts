import { describe, expect, it } from 'vitest';
import { secretLikeName } from '../../machines/secrets/names.ts';

const secretLike = [
  '.env',
  '.envrc',
  '.env.local',
  '.ENV',
  'app/.env.production',
  'prod.env',
  '.git-credentials',
  '.netrc',
  '_netrc',
  '.npmrc',
  'web/.npmrc',
  '.pypirc',
  'src/secrets/x.ts',
  '.aws/credentials',
  '.aws/config',
  'credentials',
  'Secret/x',
  'secrets.yml',
  'credential.go',
  'secret',
  'service-account-prod.json',
  'service-account.json',
  'service-account_x',
  'id_rsa',
  'id_rsa.pub',
  'id_dsa',
  'keys/id_ecdsa',
  'id_ed25519.old',
  'x.PEM',
  'tls.key',
  'a.p12',
  'a.pfx',
  'home/.ssh/config',
  '.gnupg/pubring.kbx',
  '.kube/config',
  '.htpasswd',
  '.vault-token',
  'kubeconfig',
  '.dockerconfigjson',
  'infra/main.tfstate',
  'prod.tfvars',
  'a.jks',
  'a.keystore',
  'a.kdbx',
  'a.ovpn',
  '.docker/config.json',
  'secrets/.env.example',
  '.pgpass',
  'infra/terraform.tfstate.backup',
  'prod.tfvars.json',
  'putty.ppk',
  'web.env.local',
  'app.env.production.local',
];

const ordinary = [
  'src/app.env.ts',
  'src/environment.ts',
  'src/secret-manager.ts',
  'token.txt',
  '.env.example',
  '.env.sample',
  '.env.template',
  '.env.dist',
  'app/.env.example',
  'service-accounts.ts',
  'src/secretary.ts',
  'docs/credentialing.md',
  'config.json',
  'docker/config.json',
  'keyboard.ts',
  'src/key.ts',
  'id_rsa_test',
  'README.md',
  'package-lock.json',
  'ssh/config',
  'public.pem.md',
];

describe('names that look as if they hold a secret', () => {
  it.each(secretLike)('counts %j', (path) => {
    expect(secretLikeName(path)).toBe(true);
    expect(secretLikeName(path.toUpperCase())).toBe(true);
    expect(secretLikeName(`deep/er/${path}`)).toBe(true);
  });

  it.each(ordinary)('does not count %j', (path) => {
    expect(secretLikeName(path)).toBe(false);
    expect(secretLikeName(path.toUpperCase())).toBe(false);
  });
});
