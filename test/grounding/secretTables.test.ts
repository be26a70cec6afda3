// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test hold the placeholders of templates
import { describe, expect, it } from 'vitest';
import { keptByTheTable } from '../secrets/pageTable.ts';
import { countsOf, groundIn, pathsOf, repository } from './repository.ts';

/** Each row of the tables of grounding section 7. */
const secretNames = [
  ...['.env', '.envrc', '.env.local', '.ENV', 'prod.env'],
  ...['.git-credentials', '.netrc', '.npmrc', '.pypirc', '_netrc', '.htpasswd', '.vault-token', 'kubeconfig'],
  ...['credential/x', 'credentials/x', 'Secret/x', 'src/secrets/x.ts', '.aws/credentials'],
  ...['credentials', 'secret', 'secrets.yml', 'credential.go'],
  ...['service-account.json', 'service-account-prod.json', 'service-account_x'],
  ...['id_dsa', 'id_ecdsa', 'id_ed25519', 'id_rsa', 'id_rsa.pub'],
  ...['a.key', 'a.p12', 'a.pfx', 'x.PEM'],
  ...['.ssh/config', '.gnupg/pubring.kbx', '.aws/config', '.kube/config', '.dockerconfigjson', '.docker/config.json'],
  ...['a.tfstate', 'a.tfvars', 'a.jks', 'a.keystore', 'a.kdbx', 'a.ovpn'],
];
const ordinaryNames = [
  ...['environment.ts', 'secret-manager.ts', 'token.txt', 'config.json', 'keyboard.ts', 'id_rsa_test'],
  ...['.env.example', '.env.sample', '.env.template', '.env.dist'],
];

const many = 'a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s9t0';
/** By the rule that finds them; put together here, so that no scanner takes this file for a leak. */
const secretContents: Readonly<Record<string, readonly string[]>> = {
  private_key: ['', 'RSA ', 'OPENSSH ', 'ENCRYPTED '].map((kind) => `-----BEGIN ${kind}${'PRIVATE'} KEY-----\nMIIE\n`),
  aws_access_key: ['AKIA', 'ASIA'].map((head) => `${head}${'ABCDEFGH'}12345678`),
  github_token: [...['p', 'o', 'u', 's', 'r'].map((kind) => `gh${kind}_${many.slice(0, 20)}`), `github_pat_${many}`],
  gitlab_token: [`glpat-${many.slice(0, 20)}`],
  slack_token: ['a', 'b', 'p', 'r', 's'].map((kind) => `xox${kind}-1234567890-${many.slice(0, 12)}`),
  anthropic_key: [`sk-ant-api03-${many}`],
  openai_key: [`sk-${many}`],
  google_api_key: [`AIza${many.slice(0, 35)}`],
  npm_token: [`npm_${many.slice(0, 36)}`],
  json_web_token: [`eyJ${many.slice(0, 8)}.${many.slice(0, 8)}.${many.slice(0, 8)}`],
  url_password: [`postgres://u:${'pass'}1234@h/db`],
  assignment: [
    `password = "${'hunter2'}hunter2"`,
    ...['api_key', 'api-key', 'api key', 'authorization', 'client_secret', 'client-secret', 'secret', 'token'].map(
      (name) => `${name}: "${many.slice(0, 16)}"`,
    ),
    `Authorization: Bearer ${'abcdefgh'}12345`,
  ],
};
const ordinaryContents = [
  ...keptByTheTable,
  'password = "example-password"',
  'the password and the token are secret',
  `sha256:${'0123456789abcdef'.repeat(4)}`,
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
];

describe('a repository with each row of the tables of secrets', () => {
  it('gives every ordinary file and no secret one, and counts these by reason and rule', async () => {
    const contents = Object.values(secretContents).flat();
    const root = repository({
      ...Object.fromEntries(secretNames.map((name, index) => [`wanted/zqname${index}/${name}`, `name ${index}\n`])),
      ...Object.fromEntries(contents.map((text, index) => [`wanted/zqtext${index}.txt`, `before\n${text}\nafter\n`])),
      ...Object.fromEntries(ordinaryNames.map((name, index) => [`wanted/${name}`, `ordinary ${index}\n`])),
      ...Object.fromEntries(ordinaryContents.map((text, index) => [`wanted/plain${index}.txt`, `before\n${text}\n`])),
    });
    const grounding = await groundIn(root, { request: 'What is wanted?', budget: { max_files: 256 } });
    expect([...pathsOf(grounding)].sort()).toEqual(
      [...ordinaryNames, ...ordinaryContents.map((_, index) => `plain${index}.txt`)]
        .map((name) => `wanted/${name}`)
        .sort(),
    );
    expect(countsOf(grounding)).toEqual({ secret_content: contents.length, secret_like_file: secretNames.length });
    const [warning = '', ...more] = grounding.wire.warnings;
    expect(more).toEqual([]);
    for (const [rule, texts] of Object.entries(secretContents))
      expect(warning).toMatch(new RegExp(`[( ]${rule} ${texts.length}[,)]`));
    const told = JSON.stringify(grounding);
    expect(told).not.toContain('zq');
    for (const text of contents) expect(told).not.toContain(JSON.stringify(text).slice(1, -1));
  });
});
