import { z } from 'zod';
import { repeats, rule, withRules } from '../bodyRules.ts';
import { head, Id, list, SomeRefs, Summary, str, Text } from '../primitives.ts';

/** The one question that a run may ask its user (artifacts 5.5). */

export const ClarificationReason = z.enum(['user_owned_materially_divergent', 'permission_expanding']);
export type ClarificationReason = z.infer<typeof ClarificationReason>;

export const AuthorityEffect = z.enum(['within_current_authority', 'requires_new_run']);
export type AuthorityEffect = z.infer<typeof AuthorityEffect>;

export const RunEffect = z.enum(['resume', 'cancel', 'new_run']);
export type RunEffect = z.infer<typeof RunEffect>;

export const ResponseChoice = z.strictObject({
  id: Id,
  label: str(1, 255),
  consequence: Text,
  authorityEffect: AuthorityEffect,
  runEffect: RunEffect,
});
export type ResponseChoice = z.infer<typeof ResponseChoice>;

const Fields = z.strictObject({
  ...head,
  question: Text,
  reason: ClarificationReason,
  divergence: Text,
  evidenceInspected: SomeRefs,
  blockedBoundary: str(1, 255),
  responseConstraints: Summary,
  responseChoices: list(ResponseChoice, 2, 8),
  permissionExpansionRequired: z.boolean(),
  rationaleSummary: Summary,
});
type Body = z.output<typeof Fields>;

const expands = ({ reason }: Body): boolean => reason === 'permission_expanding';

export const clarificationRules = [
  rule<Body>(
    'SCH-CLAR-01',
    ['permissionExpansionRequired'],
    'permissionExpansionRequired is true exactly when the reason is permission_expanding.',
    'Let the two agree.',
    (body) =>
      body.permissionExpansionRequired !== expands(body) &&
      `permissionExpansionRequired is ${body.permissionExpansionRequired} and reason is "${body.reason}"`,
    expands,
  ),
  rule<Body>(
    'SCH-CLAR-02',
    ['responseChoices'],
    'The choices differ in id and in consequence.',
    'Give each choice its own id and its own consequence.',
    ({ responseChoices }) => {
      const twice = [
        ...repeats(responseChoices, ({ id }) => id).map(({ index, key }) => `choice ${index} repeats the id "${key}"`),
        ...repeats(responseChoices, ({ consequence }) => consequence).map(
          ({ index }) => `choice ${index} repeats the consequence of an earlier one`,
        ),
      ];
      return twice.length > 0 && twice.join(', ');
    },
  ),
  {
    code: 'SCH-CLAR-03',
    text: 'A choice that needs a new run starts one, and no other choice does.',
    fix: 'Pair requires_new_run with new_run, and within_current_authority with resume or cancel.',
    check: ({ responseChoices }: Body) =>
      responseChoices.flatMap(({ authorityEffect, runEffect }, index) =>
        (authorityEffect === 'requires_new_run') === (runEffect === 'new_run')
          ? []
          : [
              {
                path: ['responseChoices', index],
                wrong: `authorityEffect "${authorityEffect}" does not go with runEffect "${runEffect}"`,
              },
            ],
      ),
  },
  rule<Body>(
    'SCH-CLAR-04',
    ['responseChoices'],
    'A question of the user alone offers only what the present authority allows.',
    'Let every choice be within_current_authority, or ask with the reason permission_expanding.',
    ({ reason, responseChoices }) => {
      const beyond = responseChoices.flatMap(({ authorityEffect }, index) =>
        authorityEffect === 'within_current_authority' ? [] : [index],
      );
      return (
        reason === 'user_owned_materially_divergent' &&
        beyond.length > 0 &&
        `reason is "${reason}", yet choice ${beyond.join(', ')} needs a new run`
      );
    },
  ),
  rule<Body>(
    'SCH-CLAR-05',
    ['responseChoices'],
    'A question that would expand permissions offers a way to go on without and a new run.',
    'Offer one choice within_current_authority that resumes and one that requires_new_run.',
    (body) => {
      const missing = [
        ...(body.responseChoices.some(
          ({ authorityEffect, runEffect }) => authorityEffect === 'within_current_authority' && runEffect === 'resume',
        )
          ? []
          : ['no choice resumes within the present authority']),
        ...(body.responseChoices.some(({ authorityEffect }) => authorityEffect === 'requires_new_run')
          ? []
          : ['no choice requires a new run']),
      ];
      return expands(body) && missing.length > 0 && missing.join(' and ');
    },
  ),
] as const;

export const ClarificationRequest = withRules(Fields, clarificationRules);
export type ClarificationRequest = z.infer<typeof ClarificationRequest>;
