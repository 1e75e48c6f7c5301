import { Hex, Id } from '@firn/codec'
import { EvmIcm } from '@firn/evm-store'
import { type Body, define, type Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import type { AggregateRequest } from '../../upstream/AggregatorClient.ts'
import { addressText } from '../chain/addressText.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { atAllChains, findMessage, messageId, notFound } from './getMessage.ts'
import { chainWith, evmChainIdText, type IcmChain } from './IcmChains.ts'
import { formatAbout, formatRewards } from './IcmMessage.ts'
import { feeOf, type Message, newest, rowOf } from './Message.ts'
import { happened, Story, signing } from './Story.ts'

/** Maximum number of events of each kind in a story; the newest ones are kept. */
const MOST_EVENTS = 50
/** Additional compute units for signatures, as many as a request for signatures costs. */
const SIGNING_UNITS = 20
/** Milliseconds that the signature aggregator may take. */
const DEADLINE_MS = 5_000

/** `GET /v1/icm/messages/{messageId}/story`: everything that happened to a message, in one answer. */
export function getStory(context: EvmContext): Endpoint {
  return define({
    method: 'GET',
    path: '/v1/icm/messages/{messageId}/story',
    operationId: 'getIcmMessageStory',
    summary:
      'Everything that happened to a message, or to a Warp message: sending, signatures, delivery, execution, receipts, fees',
    tag: 'Interchain messages',
    scope: 'data',
    units: 20,
    extraUnits: ({ query }) => (query.signatures ? SIGNING_UNITS : 0),
    extraScope: ({ query }) => (query.signatures ? 'aggregate' : undefined),
    pathParameters: { messageId },
    queryParameters: { signatures: Parameter.flag(false) },
    response: Story,
    handle: ({ path, query, signal }) =>
      atAllChains(context, signal, async (chains) => {
        const sign = (unsigned: Uint8Array) =>
          query.signatures ? signatures(context, unsigned, signal) : undefined
        const message = await findMessage(chains, path.messageId, MOST_EVENTS)
        if (message !== undefined) return story(context, chains, message, sign)
        const warp = await storyOfWarp(context, chains, path.messageId, sign)
        if (warp === undefined) throw notFound()
        return warp
      }),
  })
}

type Sign = (unsigned: Uint8Array) => Promise<Body> | undefined

async function story(
  context: EvmContext,
  chains: readonly IcmChain[],
  message: Message,
  sign: Sign,
): Promise<Body> {
  const { sent, received, content } = message
  const row = rowOf(message)
  const rewards = await formatRewards([message])
  const redeemed = await redemptionOf(message)
  const events = [
    ...[sent, received].flatMap((found) =>
      found === undefined ? [] : [{ event: found.row, chain: found.chain }],
    ),
    ...message.events,
    ...(redeemed === undefined ? [] : [redeemed]),
  ]
  return {
    kind: 'teleporter',
    status: statusOf(message),
    isRetried: isRetried(message),
    isResent: newest(message, 'resent') !== undefined,
    ...(await formatAbout(context, chains, row)),
    warpMessageId: sent?.row.warpId ? Id.format(sent.row.warpId) : undefined,
    contractAddress: addressText(row.contract),
    isSourceFollowed: sent !== undefined || chainWith(chains, row.source) !== undefined,
    isDestinationFollowed: received !== undefined || chainWith(chains, row.destination) !== undefined,
    data: Hex.encode(content.data),
    requiredGasLimit: String(content.requiredGasLimit),
    allowedRelayers: content.allowedRelayers.map(addressText),
    receipts: content.receipts.map(({ nonce, relayer }) => ({
      receivedMessageNonce: String(nonce),
      relayerRewardAddress: addressText(relayer),
    })),
    fee: sent && (rewards.get(message) as Body),
    unsignedMessage: sent && Hex.encode(sent.row.body),
    signatures: sent && (await sign(sent.row.body)),
    events: happened(events),
  }
}

/** Returns the story of a Warp message that no messenger sent. Nobody logs its delivery. */
async function storyOfWarp(
  context: EvmContext,
  chains: readonly IcmChain[],
  id: Uint8Array,
  sign: Sign,
): Promise<Body | undefined> {
  for (const chain of chains) {
    const event = await EvmIcm.warpMessage(chain.source.store, chain.at, id)
    if (event?.body == null || event.source === null) continue
    return {
      kind: 'warp',
      status: 'sent',
      isRetried: false,
      isResent: false,
      warpMessageId: Id.format(id),
      contractAddress: addressText(event.contract),
      sourceBlockchainId: Id.format(event.source),
      sourceEvmChainId: await evmChainIdText(context, chains, event.source),
      isSourceFollowed: true,
      unsignedMessage: Hex.encode(event.body),
      signatures: await sign(event.body),
      events: happened([{ event, chain }]),
    }
  }
  return undefined
}

/**
 * Returns how far a message has got. A receipt tells the delivery to a destination that is not followed. A message without
 * payload is not executed.
 */
function statusOf(message: Message): string {
  const has = (kind: EvmIcm.IcmEvent['kind']) => newest(message, kind) !== undefined
  if (has('executed')) return 'executed'
  if (has('failed')) return 'failed'
  return message.received !== undefined || has('receipt') ? 'delivered' : 'sent'
}

/** Returns whether the message was executed, but not when it was delivered. */
function isRetried(message: Message): boolean {
  const executed = newest(message, 'executed')
  const { received } = message
  return (
    executed !== undefined &&
    received !== undefined &&
    (executed.height !== received.row.height || executed.transactionIndex !== received.row.transactionIndex)
  )
}

/** Returns the event with which a relayer redeemed the fee of a message, together with others. */
async function redemptionOf(message: Message) {
  const receipt = newest(message, 'receipt')
  const fee = feeOf(message)
  if (receipt?.relayer == null || fee === undefined || fee.amount === 0n || message.sent === undefined)
    return undefined
  const { chain } = message.sent
  const event = await EvmIcm.redemption(chain.source.store, chain.at, {
    contract: receipt.contract,
    relayer: receipt.relayer,
    feeToken: fee.token,
    after: receipt,
  })
  return event && { event, chain }
}

/** Requests the signatures of a message from the signature aggregator. Says why if there are none. */
async function signatures(
  { aggregate }: EvmContext,
  unsigned: Uint8Array,
  signal: AbortSignal,
): Promise<Body> {
  if (aggregate === undefined)
    return signing(undefined, 'no signature aggregator is configured (--aggregator-url)')
  const request: AggregateRequest = { body: { message: Hex.encode(unsigned), deadlineMs: DEADLINE_MS } }
  try {
    return signing((await aggregate(request, signal)).signedMessage, undefined)
  } catch (error) {
    signal.throwIfAborted()
    return signing(undefined, error instanceof Error ? error.message : String(error))
  }
}
