// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts hold the placeholders of templates

/** What the table of grounding section 7 says is no secret. */
export const keptByTheTable: readonly string[] = [
  'password: changeme',
  'password=${DB_PASSWORD}',
  'api_key=<your key>',
  'token = process.env.TOKEN',
  'secret: SecretString;',
  'const token = getToken()',
  '-----BEGIN PUBLIC KEY-----',
];
