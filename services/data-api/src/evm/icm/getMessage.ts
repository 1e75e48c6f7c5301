import { Hex } from '@firn/codec'
import { EvmIcm } from '@firn/evm-store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import { type Body, define, type Endpoint } from '../../http/endpoint/Endpoint.ts'
import { latestOf } from '../../http/endpoint/List.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Names from '../../primary/network/Names.ts'
import { type ChainAt, chainsSnapshots } from '../chain/chainsSnapshots.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { type IcmChain, icmChains } from './IcmChains.ts'
import { formatMessages, SHAPES } from './IcmMessage.ts'
import { loadMessages, type Message } from './Message.ts'

/** Parameter for the id of a message: in hexadecimal, or as Warp message ids are shown, in cb58. */
export const messageId = Parameter.text(
  'a message id: 64 hexadecimal digits, with or without 0x, or cb58',
  (text) => {
    const digits = /^(?:0[xX])?([0-9a-fA-F]{64})$/.exec(text)?.[1]
    return digits === undefined ? Names.parseId(text) : Hex.decodeBare(digits.toLowerCase())
  },
)

/** `GET /v1/icm/messages/{messageId}`, and its deprecated path: a message. */
export function getMessage(context: EvmContext): readonly Endpoint[] {
  return [
    { dialect: 'Icm', path: '/v1/icm/messages/{messageId}', operationId: 'getIcmMessage' } as const,
    {
      dialect: 'Teleporter',
      path: '/v1/teleporter/messages/{messageId}',
      operationId: 'getTeleporterMessage',
    } as const,
  ].map(({ dialect, ...route }) =>
    define({
      method: 'GET',
      ...route,
      isDeprecated: dialect === 'Teleporter',
      summary: 'A message between chains',
      tag: 'Interchain messages',
      scope: 'data',
      units: 20,
      pathParameters: { messageId },
      queryParameters: {},
      response: SHAPES[dialect].message,
      handle: ({ path, signal }) =>
        atAllChains(context, signal, async (chains) => {
          const message = await findMessage(chains, path.messageId, 1)
          if (message === undefined) throw notFound()
          const [body] = await formatMessages(context, chains, [message], dialect)
          return body as Body
        }),
    }),
  )
}

/** Returns the answer that `read` computes at the newest block of each chain. */
export async function atAllChains(
  context: EvmContext,
  signal: AbortSignal,
  read: (chains: readonly IcmChain[]) => Promise<Body>,
) {
  const snapshots = chainsSnapshots(context)
  return latestOf(snapshots, signal, async (at: readonly ChainAt[]) => ({
    body: await read(await icmChains(at)),
    ...snapshots.head(at),
  }))
}

/**
 * Returns the message with an id, or the one that the Warp message with the id carries, with at most `most` events of each
 * kind. Returns undefined if no followed chain sent or received it.
 */
export async function findMessage(
  chains: readonly IcmChain[],
  id: Uint8Array,
  most: number,
): Promise<Message | undefined> {
  const [message] = await loadMessages(chains, [id], most)
  if (message !== undefined) return message
  const carried = await Promise.all(chains.map(({ source, at }) => EvmIcm.byWarpId(source.store, at, id)))
  const row = carried.find((one) => one !== undefined)
  return row && (await loadMessages(chains, [row.messageId], most))[0]
}

export function notFound(): DataApiError {
  return new DataApiError(
    'DATA_NOT_FOUND',
    'messageId: no followed chain sent or received such a message; GET /v1/chains lists the followed chains',
  )
}
