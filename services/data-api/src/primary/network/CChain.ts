import type { Transactions } from '@firn/store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { DataContext } from './Context.ts'

const REASON = 'C_CHAIN_NOT_FOLLOWED'
const REMEDY =
  'because the C-chain is not followed. Index with the C-chain from a node (--upstream) into an empty database.'

/** Says that an answer lacks what depends on the C-chain. Absent if the C-chain is followed. */
export const Incomplete = Schema.object(
  'Incomplete',
  'Says that an answer lacks what depends on the C-chain, because the service does not follow it',
  {
    reason: Schema.constant(REASON, 'Why the answer is incomplete'),
    message: Schema.text('What is missing, and how to complete it', `Outputs are missing, ${REMEDY}`),
  },
)

/**
 * Returns the member of an answer that lacks something without the C-chain, and nothing if the C-chain is followed.
 * @param what names what is missing
 */
export function incomplete(
  { followsCChain }: Pick<DataContext, 'followsCChain'>,
  what: string,
): { readonly incomplete?: Body } {
  if (followsCChain) return {}
  return { incomplete: { reason: REASON, message: `${what} missing, ${REMEDY}` } }
}

/** Returns the error for a request about the C-chain, which the database does not follow. */
export function notFollowed(): DataApiError {
  const message = `${REASON}: blocks, transactions, UTXOs and balances of the C-chain are not known here, ${REMEDY}`
  return new DataApiError('DATA_NOT_FOLLOWED', message, { details: { reason: REASON } })
}

/** Says which members of an output are missing, or stand in for values that are not known without the C-chain. */
export const Unknown = Schema.object(
  'UnknownMembers',
  'Members of an output that are missing, or stand in for values that are not known without the C-chain',
  {
    reason: Schema.constant(REASON, 'Why the members are not known'),
    members: Schema.list(
      Schema.text('Name of a member', 'blockNumber'),
      'Members that are missing or not the real value; `addresses` has only those who signed',
    ),
  },
)

/** Returns the member of an output of which the given members are not known. */
export function unknownOf(...members: readonly string[]): { readonly unknown: Body } {
  return { unknown: { reason: REASON, members } }
}

/** Members of an output that were not known when an import from the C-chain consumed it. */
export const UNKNOWN_ORIGIN = ['addresses', 'blockNumber', 'blockTimestamp', 'utxoBytes'] as const

/** Members about the consumption of an output that was exported to the C-chain. */
export const UNKNOWN_END = ['consumingBlockNumber', 'consumingBlockTimestamp', 'consumingTxHash'] as const

/** Returns the inputs that a transaction imports from a C-chain that is not followed. */
export type UnknownInput = Transactions.UnknownInput
