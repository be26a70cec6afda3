import { describe, expect, it } from 'vitest';
import { inputRefsOf } from '../../machines/projection/inputs.ts';
import { ProjectionError } from '../../machines/projection/projectionError.ts';
import { emptyRecord } from '../../machines/record.ts';
import { runId } from './records.ts';

describe('a projection that cannot be told', () => {
  it.each([
    ['ADM-INT-02', 'integrity_failed'],
    ['ADM-INT-05', 'quota_exceeded'],
    ['ADM-INT-06', 'integrity_failed'],
    ['ADM-INT-07', 'integrity_failed'],
  ] as const)('%s is an error with the finding of its refusal, %s', (code, refusal) => {
    const error = new ProjectionError(code, 'What is wrong.', 'What mends it.');
    expect({ ...error, name: error.name, message: error.message }).toEqual({
      name: 'ProjectionError',
      message: 'What is wrong.',
      code,
      refusal,
      finding: { path: 'run_id', code, message: 'What is wrong.', fix: 'What mends it.' },
    });
  });

  it('is none when a record holds nothing at all: its reading list is empty', () => {
    expect(inputRefsOf(emptyRecord(runId), 'agent_1_frame')).toEqual([]);
  });
});
