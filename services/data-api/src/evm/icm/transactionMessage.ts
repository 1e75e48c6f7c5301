import { Hex } from '@firn/codec'
import { EvmIcm, type EvmTransactions } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainsSnapshots } from '../chain/chainsSnapshots.ts'
import type { EvmChainSource, EvmContext } from '../chain/EvmContext.ts'
import { chainIdText } from '../shapes/ChainInfo.ts'
import { evmChainIdText, icmChains } from './IcmChains.ts'
import { messageId } from './IcmMessage.ts'

/** The message that a transaction sent or received. */
export const TransactionMessage = Schema.object(
  'TeleporterMessageInfo',
  'The message that a transaction sent or received',
  {
    teleporterMessageId: messageId,
    direction: Schema.choice(
      ['SOURCE_TRANSACTION', 'DESTINATION_TRANSACTION'],
      'Whether the transaction sent the message or received it',
    ),
    sourceChainId: Schema.optional(
      Schema.as(chainIdText, 'EVM chain id of the source, if the transaction received the message'),
    ),
    destinationChainId: Schema.optional(
      Schema.as(chainIdText, 'EVM chain id of the destination, if the transaction sent the message'),
    ),
  },
)

/** Returns the first message that a transaction sent or received; undefined if there is none. */
export async function transactionMessage(
  context: EvmContext,
  { store }: EvmChainSource,
  place: EvmTransactions.TransactionPlace,
): Promise<Body | undefined> {
  const [row] = await EvmIcm.ofTransaction(store, place)
  if (row === undefined) return undefined
  const chains = await icmChains(await chainsSnapshots(context).latest())
  const other = await evmChainIdText(context, chains, row.isSent ? row.destination : row.source)
  return {
    teleporterMessageId: Hex.encodeBare(row.messageId),
    direction: row.isSent ? 'SOURCE_TRANSACTION' : 'DESTINATION_TRANSACTION',
    ...(row.isSent ? { destinationChainId: other } : { sourceChainId: other }),
  }
}
