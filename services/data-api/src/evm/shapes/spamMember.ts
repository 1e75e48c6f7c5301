import * as Schema from '../../http/endpoint/Schema.ts'
import { SPAM_REASONS, type SpamReason } from './spamReasons.ts'

const REASONS = Object.keys(SPAM_REASONS) as SpamReason[]

/** The member of answers that says why a token may be spam. */
export const spamMember = {
  spamReasons: Schema.list(
    Schema.choice(
      REASONS,
      REASONS.map((reason) => `\`${reason}\`: ${SPAM_REASONS[reason]}`).join('; '),
      'URL_IN_NAME',
    ),
    'Reasons for which the token may be spam; empty if nothing says so. They are hints and not a security analysis.',
  ),
}
