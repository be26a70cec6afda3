import { describe, expect, it } from 'vitest';
import { wireAnswers } from '../../../schemas/wire/answers.ts';
import { WireTool } from '../../../schemas/wire/vocabulary.ts';
import { isLeft, readCases } from './cases.ts';
import { play } from './play.ts';

const cases = readCases();

describe('W-04 the recorded cases of the wire', () => {
  it.each(cases.filter(({ name }) => !isLeft(name)))('$name is answered as recorded, typed and as text', play);
});

describe('W-05 every recorded answer', () => {
  const typed = cases.filter(({ response }) => 'structuredContent' in response.result);

  it.each(typed)('$name fits the schema of its tool, and its text is its JSON', ({ request, response }) => {
    const { structuredContent, content } = response.result;
    const schema = wireAnswers[WireTool.parse(request.params.name)];
    expect(schema.parse(structuredContent)).toEqual(structuredContent);
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  });

  it('but for the malformed call is typed', () => {
    expect(cases.filter((one) => !typed.includes(one)).map(({ name }) => name)).toEqual(['malformed.call']);
  });
});
