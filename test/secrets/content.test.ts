// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test hold the placeholders of templates
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Characters } from '../../machines/secrets/characters.ts';
import { findSecret, scanForSecret } from '../../machines/secrets/content.ts';
import { keptByTheTable } from './pageTable.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const letters = (length: number): string => alphabet.repeat(4).slice(3, 3 + length);

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const found: readonly (readonly [string, string])[] = [
  ['private_key', `-----BEGIN ${'PRIVATE KEY'}-----\nMIIE`],
  ['private_key', `-----BEGIN RSA ${'PRIVATE KEY'}-----`],
  ['private_key', `-----BEGIN OPENSSH ${'PRIVATE KEY'}-----`],
  ['private_key', `-----BEGIN PGP ${'PRIVATE KEY'} BLOCK-----`],
  ['private_key', `---- BEGIN SSH2 ENCRYPTED ${'PRIVATE KEY'} ----`],
  ['private_key', `"key": "-----BEGIN ENCRYPTED ${'PRIVATE KEY'}-----\\nMII"`],
  ['aws_access_key', `id AKIA${'ABCDEFGH12345678'} end`],
  ['aws_access_key', `ASIA${'ABCDEFGH12345678'}`],
  ...['p', 'o', 'u', 's', 'r'].map((kind) => ['github_token', `gh${kind}_${letters(20)}`] as const),
  ['github_token', `github_pat_${letters(22)}_${letters(30)}`],
  ['gitlab_token', `glpat-${letters(20)}`],
  ...['a', 'b', 'p', 'r', 's'].map((kind) => ['slack_token', `xox${kind}-${'1234567890'}-${letters(12)}`] as const),
  ['anthropic_key', `sk-ant-api03-${letters(40)}`],
  ['openai_key', `sk-${letters(48)}`],
  ['openai_key', `sk-${'a'.repeat(40)}`],
  ['openai_key', `sk-proj-${letters(40)}`],
  ['google_api_key', `AIza${letters(35)}`],
  ['npm_token', `npm_${letters(36)}`],
  ['stripe_key', `sk_${'live'}_${letters(24)}`],
  ['slack_token', `xapp-${'1-A0'}-${letters(20)}`],
  ['google_client_secret', `GOCSPX-${letters(28)}`],
  ['huggingface_token', `hf_${letters(34)}`],
  ['shopify_token', `shpat_${'0123456789abcdef'.repeat(2)}`],
  ['digitalocean_token', `dop_v1_${'0123456789abcdef'.repeat(4)}`],
  ['pypi_token', `pypi-AgEIcHlwaS5vcmc${letters(60)}`],
  ['age_key', `AGE-SECRET-KEY-1${'QPZRY9X8GF'.repeat(5)}`],
  ['json_web_token', `eyJ${letters(10)}.${letters(12)}.${letters(20)}`],
  ['json_web_token', `a.b-eyJ${letters(5)}.${letters(8)}.${letters(8)}`],
  ['json_web_token', `short.eyJ${letters(5)}.${letters(8)}.${letters(8)}`],
  ['assignment', `password = "${'hunter2'}hunter2"`],
  ['assignment', `password: ${'hunter2'}hunter2`],
  ['assignment', `PASSWORD=${'hunter2'}hunter2`],
  ['assignment', `{"password": "${'hunter2'}hunter2"}`],
  ['assignment', `{\\"password\\": \\"${'hunter2'}hunter2\\"}`],
  ['assignment', `config['password'] = '${'hunter2'}hunter2'`],
  ['assignment', `const password: string = "${'hunter2'}hunter2"`],
  ['assignment', `let token: &str = "${letters(12)}";`],
  ['assignment', `const token =\n  '${letters(12)}';`],
  ['assignment', `:secret => "${letters(12)}"`],
  ['assignment', `secret := "${letters(12)}"`],
  ['assignment', `apiKey: '${letters(12)}'`],
  ['assignment', `api_key=${letters(12)}`],
  ['assignment', `api-key: ${letters(12)}`],
  ['assignment', `API key: ${letters(12)}`],
  ['assignment', `client_secret=${letters(12)}`],
  ['assignment', `client-secret: "${letters(12)}"`],
  ['assignment', `clientSecret: \`${letters(12)}\``],
  ['assignment', `Server=db;Password=${'correctHorse'};`],
  ['assignment', `Authorization: Bearer ${'abcdefgh'}12345`],
  ['assignment', `-H "Authorization: Basic ${'dXNlcjpwYXNz'}"`],
  ['assignment', `"authorization": "token ${letters(12)}"`],
  ['assignment', `PASSWORD=${'hunter'}_password\n`],
  ['assignment', `password: ${'hunter'}_password\n`],
  ['assignment', `password = "my_${'hunter'}_password"`],
  ['assignment', `if (password == "${'hunter2'}hunter2")`],
  ['assignment', `password = "Password${'1234'}"`],
  ['assignment', `password: yours${'hunter2'}`],
  ['assignment', `token = "${'ab'}::${'hunter2'}"`],
  ['assignment', `PASSWORD=${'password'}\n`],
  ['assignment', `token = ${'deadbeef'}token`],
  ['assignment', `token = tokens${'abcdefgh'}`],
  ['assignment', `secret = user_${'password'}\n`],
  ['assignment', `DB_PASSWORD=${'hunter2'}hunter2`],
  ['assignment', `password: ${'correcthorse'} # the old one`],
  ['assignment', `host=db password=${'correcthorse'} user=u`],
  ['assignment', `https://example.org/hook?token=${letters(12)}`],
  ['assignment', `headers["Authorization"] = "${letters(12)}"`],
  ['assignment', `"password": ${'hunter2'}hunter2\n`],
  ['url_password', `see https://u:${'password'}1@h/x`],
  ['assignment', `export DB_PASSWORD='${'hunter2'}!hunter2' # the old one`],
  ['assignment', `DB_PASSWORD: ${'hunter2'}hunter2`],
  ['assignment', `DB_PASSWORD = ${'hunter2'}hunter2`],
  ['assignment', `docker run -e MYSQL_ROOT_PASSWORD=${'hunter2'}hunter2 mysql`],
  ['assignment', `DB_PASSWORD=${'correcthorse'}batterystaple`],
  ['assignment', `JWT_SECRET="${letters(8)}${'90'}${letters(8)}7"`],
  ['assignment', `SECRET_KEY = 'django-insecure-${'x)4h'}!q2#9'`],
  ['assignment', `AWS_SECRET_ACCESS_KEY=${'wJalrXUtnFEMI/K7MDENG'}/bPxRfiCYEXAMPLEKEY`],
  ['assignment', `aws_secret_access_key = ${'wJalrXUtnFEMI/K7MDENG'}/bPxRfiCYEXAMPLEKEY`],
  ['assignment', `--set-env-vars DB_PASSWORD=${'hunter2'}hunter2,MODE=x`],
  ['assignment', `define( 'DB_PASSWORD', '${'hunter2'}!hunter2' );`],
  ['assignment', `os.environ.get("API_TOKEN", "${'a1b2c3d4'}e5f6")`],
  ['assignment', `AccountName=a;AccountKey=${letters(20)}${'1+/4'}${letters(20)}==;EndpointSuffix=x`],
  ['assignment', `myAPIToken: '${'a1b2c3d4'}e5f6'`],
  ['assignment', `db_password = ${'hunter2'}hunter2`],
  ['assignment', `secretAccessKey: '${'wJalrXUtnFEMI/K7MDENG'}/bPxRfiCYEXAMPLEKEY',`],
  ['assignment', `{"dbPassword": "${'hunter2'}hunter2"}`],
  ['assignment', `{\\"dbPassword\\": \\"${'hunter2'}hunter2\\"}`],
  ['assignment', `const accessToken = "${'a1b2c3d4'}e5f6";`],
  ['assignment', `accessToken: string = "${'a1b2c3d4'}e5f6",`],
  ['assignment', `const API_TOKEN: &str = "${'a1b2c3d4'}e5f6";`],
  ['assignment', `dbPassword: ${'hunter2'}hunter2`],
  ['assignment', `spring.datasource.dbPassword=${'hunter2'}hunter2`],
  ['assignment', `"refresh_token": "${'tGzv3JOkF0XG5Qx2TlKWIA'}"`],
  ['assignment', `secretKey: "${'a1b2c3d4'}e5f6"`],
  ['assignment', `password = "${'p@ss'}!word9"`],
  ['assignment', `PASSWORD=${'p4ss'}!word`],
  ['url_password', `postgres://u:${'pass1234'}@h/db`],
  ['url_password', `url = "https://deploy:${letters(12)}@example.org/x.git"`],
];

const kept: readonly string[] = [
  ...keptByTheTable,
  '-----BEGIN CERTIFICATE-----',
  'password = "example-password"',
  'password = "REDACTED-BY-TOOL"',
  'token: "placeholder-token"',
  'Authorization: Bearer ${token}',
  'Authorization: Bearer <token>',
  "headers.authorization = 'Bearer ' + token;",
  'const token = await requestToken(user);',
  'function login(user: User, password: SecretString, token: CancellationToken): void {}',
  'token: vscode.CancellationToken,',
  'const { token } = response; this.token = response?.token;',
  'secret = options["clientSecret"];',
  'password: Optional[str] = None',
  'token: Promise<string>;',
  'return { token: accessToken };',
  'authenticate(user, password=user_password)',
  'tokens.map((token) => token.value)',
  'const ok = token ? token : undefined;',
  'password: string;',
  '{"password": "Password", "authorization": "Authorization"}',
  "password: 'Password is required',",
  'let token = std::env::var("TOKEN")?;',
  'token: TokenKind::Identifier,',
  'api_key="YOUR_API_KEY"',
  'Authorization: Bearer YOUR_TOKEN_HERE',
  "password: 'your-password',",
  'self.password = password',
  'connect(user=user, password=password)',
  'username, password = url_user_password',
  'userdata.password = password_ptr',
  'headers["Authorization"] = authorization_header',
  'this.clientSecret = clientSecret\nnext()',
  'return { idp: { ...idp, clientSecret: idpSecret\n  }\n}',
  'self.token = access_token',
  'password = password + padding',
  'if token == Punctuation and value == ".":',
  'if (token === Punctuation) return;',
  'match kind { Token::Punctuation => {} }',
  'export type Token = Readonly<{ actionId: string }>;',
  'setSecret(secret: Uint8Array, signal?: AbortSignal): void;',
  ':param token: REQUIRED.  The token that the client sends',
  ':param password: Password to send with the request',
  'password = base64.b16encode(random_bytes[8:]).decode("utf-8")',
  'if (context.token === "function") return;',
  'Enter the password and the token, then go on. The secret: it is long.',
  'Is the password required? A token: yes.',
  'token: "https://github.com/login/oauth/access_token",',
  'authorization: "https://discord.com/api/oauth2/authorize?scope=identify+email",',
  '[![coverage](https://codecov.io/gh/a/b/branch/main/graph/badge.svg?token=6B6NxtsZc3)](https://codecov.io/gh/a/b)',
  'https://img.example/badge/x?style=flat&token=6B6NxtsZc3',
  "password: 'password'",
  'const kinds = { PASSWORD: "password", PHONE: "phone" };',
  'mongodb://username:password@host:1234',
  ':param token: Metadata token to send along with the request',
  'throw "Failed to reset password: username / email / token is invalid"',
  "session({ secret: 'keyboard cat' })",
  'password: "Passwords must match"',
  '{token:"variable.other.source.rust",regex:"x"}',
  '"next-auth.session-token": "next-auth.session-token"',
  'secret: projects/my-project/secrets/my-seed-phrase',
  'arn:aws:secretsmanager:us-east-1:123456789012:secret:AmazonLookoutMetrics-x',
  'the :token:`sep_definition` item',
  'data["password"] = credentials_of_it',
  "headers['Authorization'] = signature",
  'headers = {"X-metadata-token": imdsv2_session_token}',
  'password: /system/http_proxy/authentication_password',
  'DB_PASSWORD=',
  "define('DB_PASSWORD', 'password_here');",
  "get('DB_PASSWORD', fallback1x2)",
  "('OAUTH2_CLIENT_SECRET', 'oauth2ClientSecret')",
  '-DHF_LONG sk_live_ GOCSPX- hf_transfer_of_a_file_with_a_long_name_1234',
  'POSTGRES_PASSWORD=postgres',
  'DB_PASSWORD=${PASSWORD_1_DEFAULT}',
  'DB_PASSWORD=$(cat /run/pass1word2)',
  'DB_PASSWORD_FILE=/run/secrets/db1pass2word',
  'DB_PASSWORD=/run/secrets/db1pass2word',
  'DB_PASSWORD=changeme1a2b3c',
  'API_TOKEN=your1token2here3',
  'API_TOKEN: ${{ secrets.API_TOKEN_2X4 }}',
  'DB_SECRET=arn:aws:secretsmanager:us-east-1:123456789012:secret:db1x2',
  'TOKEN_URL_API_KEY=https://example.org/v1x2/oauth2',
  "INVALID_TOKEN: 'auth/invalid-token-2',",
  "const NEXT_TOKEN = 'next_token_name';",
  "refreshToken: 'refresh-token-12',",
  "export const OAUTH_TOKEN = 'oauth2_access_token';",
  "ACCESS_TOKEN = 'access_token'",
  'cancelToken: defaultToConfig2,',
  'client_token = base64encoded',
  '    oauth_secret=oauth2client2,',
  'appCheckToken=r,this.authToken=i1b2c3d4e5,this.x=1',
  'exports.AccessToken = AccessToken_1.default;',
  'client_secret=args.salesforce_oauth2_client_secret,',
  'const accessToken = oauth2Client.getAccessToken2();',
  'accessToken: Base64Token2String;',
  'LONG_PASSWORD = 0x00000001;',
  'output_token: "Jobs[-1].JobId"',
  'accessToken: `${prefix1}-${suffix2}`',
  'http://example.com/cb?access_token=2YotnFZFEjr1zCsicMWpAA',
  "CHARS_OF_TOKEN = 'abcdefghijklmnopqrstuvwxyz0123456789'",
  'SEC_ERROR_BAD_PASSWORD = SEC_ERROR_BASE + 15',
  'max_tokens = 1234567890',
  'password_hash: "abcdefghijklmnop"',
  '"jsonwebtoken": "^9.0.2"',
  '"integrity": "sha512-ABCDEFabcdef0123456789+/ABCDEFabcdef0123456789+/ABCDEFabcdef0123456789+/ABCDEFabcdef01234w=="',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  'AKIAlowercaseisnotakey1',
  'AKIAABCDEFGH123456789',
  `gho_${letters(19)}`,
  `xghp_${letters(30)}`,
  'sk-some-very-long-class-name-made-of-words-and-no-key',
  'task-list-of-the-things-that-still-have-to-be-done-by-us',
  'npm_config_registry_of_the_package_manager_itself',
  'eyJhbGci.short.parts',
  'https://user:${PASSWORD}@host/x and http://host:8080/@scope/name',
  'https://<user>:<password>@host',
  'const url = `postgres://${user}:${password}@${host}/db`;',
  '!function(e,t){var n=e.token,r=t.password;n=r(n),e.secret=t.secret||n}(window,{token:1,password:a});',
];

describe('what counts as a secret', () => {
  it.each(found)('finds %s in %j', (rule, text) => {
    expect(findSecret(text)).toEqual({ rule });
    expect(findSecret(`first line\n  ${text}\nlast line\n`)).toEqual({ rule });
  });

  it.each(kept)('keeps %j', (text) => {
    expect(findSecret(text)).toBeNull();
    expect(findSecret(`first line\n${text}\nlast line\n`)).toBeNull();
  });

  it('names the pattern and gives nothing of the value', () => {
    for (const [rule, text] of found) expect(Object.entries(findSecret(text) ?? {})).toEqual([['rule', rule]]);
  });

  it('finds a secret whatever prose stands around it', () => {
    const prose = fc.stringMatching(/^[ a-z.,\n]{0,200}$/);
    fc.assert(
      fc.property(prose, prose, fc.constantFrom(...found), (before, after, [, text]) => {
        expect(findSecret(`${before}\n${text}\n${after}`)).not.toBeNull();
      }),
    );
  });
});

describe('how much the detector reads', () => {
  /** A text that counts how often a character of it is read. */
  const counted = (text: string): { source: Characters; reads: () => number } => {
    let reads = 0;
    return {
      source: {
        length: text.length,
        charCodeAt: (index) => {
          reads += 1;
          return text.charCodeAt(index);
        },
      },
      reads: () => reads,
    };
  };

  const readsOf = (text: string): number => {
    const { source, reads } = counted(text);
    scanForSecret(source);
    return reads();
  };

  const pieces = [
    'A',
    'A_',
    'a.',
    '-',
    '{',
    '}',
    '=',
    ':',
    ' ',
    '\t',
    '\n',
    '\\',
    '"',
    "'",
    '`',
    '/',
    '@',
    '.',
    '_',
    '?',
    '-----',
    'BEGIN ',
    '-----BEGIN ',
    '-----BEGIN CERTIFICATE-----\n',
    'PRIVATE ',
    '---- BEGIN ',
    'AKIA',
    'ASIA',
    'AKIA ',
    'ghp_',
    'ghp_ ',
    'github_pat_',
    'glpat-',
    'xoxb-',
    'sk-',
    '-sk-',
    'sk-ant-',
    'AIza',
    'AIza.',
    'npm_',
    'eyJ',
    '-eyJ',
    'eyJ.',
    'eyJaaaaa.',
    'eyJaaaaa.b.',
    'eyJ-aaaaaaaaaa.bbbbbbb',
    'password',
    'password ',
    'password=',
    'password: ',
    'password=password',
    'token=example.',
    'token=a.',
    'token = ',
    'token:a=',
    'secret: S;',
    'secret:',
    'api ',
    'api key',
    'api-key=',
    'authorization: Bearer ',
    'bearer ',
    'client_secret',
    'sk_live_',
    '?token=',
    '?token=abcdefgh1',
    'badge&token=abcdefgh1',
    'token: abcdefgh a ',
    'secret:secret:',
    'token=projects/',
    'token=/a/a/a-',
    "token: 'a.a.a.",
    'hf_',
    '"A_TOKEN", "a',
    'a_token=',
    'a_token=1a',
    'DB_PASSWORD=a1',
    'accessToken: "',
    'accessToken: "a1',
    'secretKey=',
    'a_secret:a.',
    'Token=>',
    'a://',
    'a://b:',
    'a://b:c',
    '://',
    'changeme',
    'example',
    'redacted',
    '${',
    '<',
    'QUJDRA+/',
    'é',
    '\u{1f600}',
  ];

  it.each(pieces)('reads a text made of %j in linear time', (piece) => {
    const short = readsOf(piece.repeat(Math.ceil(4096 / piece.length)));
    const long = readsOf(piece.repeat(Math.ceil(32_768 / piece.length)));
    expect(long).toBeLessThanOrEqual(short * 8.5 + 4096);
    expect(long).toBeLessThanOrEqual(32_768 * 80);
  });

  const mebibyte = 1_048_576;
  const filled = (piece: string): string => piece.repeat(Math.ceil(mebibyte / piece.length)).slice(0, mebibyte);
  const hostile: readonly (readonly [string, string])[] = [
    ['one letter', filled('A')],
    ['words', filled('A_')],
    ['dots', filled('a.')],
    ['PEM headers without an end', filled('-----BEGIN RSA ')],
    ['PEM headers that hold no private key', filled('-----BEGIN CERTIFICATE-----\n')],
    ['base64 in one line', filled('QUJDRA+/aGVsbG8gd29ybGQ')],
    ['base64 in lines', filled(`${'QUJDRA+/'.repeat(9)}\n`)],
    ['nested braces', `${'{'.repeat(mebibyte / 2)}${'}'.repeat(mebibyte / 2)}`],
    ['nested objects', `${'{"token":'.repeat(mebibyte / 10)}1${'}'.repeat(mebibyte / 10)}`],
    ['heads of web tokens', filled('-eyJ')],
    ['members', filled('token=a.')],
  ];

  it.each(hostile)('reads 1 MiB of %s at most eighty times', (_name, text) => {
    expect(readsOf(text)).toBeLessThanOrEqual(text.length * 80);
    expect(findSecret(text)).toBeNull();
  });

  it('reads any mixture of its own literals in linear time', () => {
    const mixture = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(mixture, (parts) => {
        const unit = parts.join('');
        const short = readsOf(unit.repeat(Math.ceil(2048 / unit.length)));
        const long = readsOf(unit.repeat(Math.ceil(16_384 / unit.length)));
        expect(long).toBeLessThanOrEqual(short * 8.5 + 4096);
      }),
      { numRuns: 300 },
    );
  });

  it('tries eight names in a row that no blank or quote breaks', () => {
    const last = `DB_PASSWORD=${'hunter2'}hunter2`;
    // Longer than what is read of one value.
    const filler = '.'.repeat(150);
    expect(findSecret(`${`A_TOKEN=${filler}`.repeat(7)}${last}`)).toEqual({ rule: 'assignment' });
    expect(findSecret(`${`A_TOKEN=${filler}`.repeat(8)}${last}`)).toBeNull();
    expect(findSecret(`${`A_TOKEN=${filler}`.repeat(8)} ${last}`)).toEqual({ rule: 'assignment' });
  });

  // The patterns of single values read them unseen by the counter; one that goes back again and again never ends.
  it.each(['-', '_', '.', '/', ':', '-_', 'a-', '1-'])('comes to an end behind a value with a run of %j', (piece) => {
    const find = (): number =>
      ['', '+', '!', '~'].filter((end) => findSecret(`DB_PASSWORD="a1${piece.repeat(50)}${end}"`) === null).length;
    expect(runInNewContext('find()', { find }, { timeout: 5000 })).toBeGreaterThan(0);
  });

  it('takes any text at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(findSecret(text)?.rule).not.toBe('');
      }),
    );
  });
});
