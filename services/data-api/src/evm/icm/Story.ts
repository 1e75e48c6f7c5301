import { Hex } from '@firn/codec'
import type { EvmIcm } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { addressText } from '../chain/addressText.ts'
import type { IcmChain } from './IcmChains.ts'
import { about, SHAPES } from './IcmMessage.ts'

/** What happened to a message, in the order in which it usually happens, with the meaning of each. */
const TYPES = {
  sent: 'a messenger sent it, with this fee',
  warp: 'another contract sent it as a Warp message',
  resent: 'it was sent again',
  feeAdded: 'the fee was raised to this amount',
  received: 'the destination received it',
  executed: 'the recipient executed it',
  failed: 'the recipient failed to execute it',
  receipt: 'the source got the receipt, so that the relayer may redeem the fee',
  redeemed: 'the relayer redeemed this fee, in an amount together with all others since it last did',
} as const
type StoryType = keyof typeof TYPES

const StoryEvent = Schema.object(
  'IcmStoryEvent',
  'Something that happened to a message, as a followed chain logged it',
  {
    type: Schema.choice(
      Object.keys(TYPES),
      Object.entries(TYPES)
        .map(([type, meaning]) => `\`${type}\`: ${meaning}`)
        .join('; '),
    ),
    evmChainId: Schema.text('EVM chain id of the chain, as decimal text', '43114'),
    blockNumber: Field.height('Number of the block'),
    timestamp: Field.seconds('Time of the block'),
    txHash: Field.hash('Hash of the transaction'),
    logIndex: Schema.text('Index of the log in the block, as decimal text', '3'),
    gasSpent: Field.gas('Gas that the transaction used', '182000'),
    relayer: Schema.optional(
      Field.evmAddress('Account that delivered the message, or address that may redeem the fee'),
    ),
    rewardRedeemer: Schema.optional(Field.evmAddress('Of `received`: address that may redeem the fee')),
    feeToken: Schema.optional(Field.evmAddress('Token of the fee; absent if there is none')),
    feeAmount: Schema.optional(Field.units('Amount of the fee; absent if there is none')),
  },
)

const Signatures = Schema.object(
  'IcmSignatures',
  'The signatures of a message, from the signature aggregator',
  {
    signedMessage: Schema.optional(
      Schema.text('Signed message in hexadecimal, without 0x', '00000000303905'),
    ),
    reason: Schema.optional(Schema.text('Why there are none', 'no signature aggregator is configured')),
  },
)

const { receipts, rewardDetails } = SHAPES.Icm
const optional = (members: Schema.Members) =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, Schema.optional(schema)]))

/** Everything that happened to a message. */
export const Story = Schema.object(
  'IcmMessageStory',
  'Everything that the followed chains logged about a message',
  {
    kind: Schema.choice(
      ['teleporter', 'warp'],
      '`teleporter` for a message of a messenger contract; `warp` for other Warp messages, of which only the sending is known',
    ),
    status: Schema.choice(
      ['sent', 'delivered', 'executed', 'failed'],
      'How far the message has got; `failed` until a retry executes it. A message without payload stays `delivered`. `sent` also if the destination is not followed',
    ),
    isRetried: Schema.flag('Whether it was executed by a retry, after its delivery', false),
    isResent: Schema.flag('Whether it was sent again', false),
    ...optional(about),
    warpMessageId: Schema.optional(
      Field.cb58('Id of the Warp message; absent if the source is not followed'),
    ),
    contractAddress: Field.evmAddress(
      'Messenger contract, the same on both chains; otherwise the sender of the Warp message',
    ),
    isSourceFollowed: Schema.flag(
      'Whether the service follows the source. If not, fees, receipts and resends are not known',
      true,
    ),
    isDestinationFollowed: Schema.optional(
      Schema.flag(
        'Whether the service follows the destination. If not, delivery and execution are not known',
        true,
      ),
    ),
    data: Schema.optional(Field.hex('Payload for the recipient')),
    requiredGasLimit: Schema.optional(
      Field.gas('Gas that the relayer must provide for the execution', '250000'),
    ),
    allowedRelayers: Schema.optional(
      Schema.list(Field.evmAddress('Relayer'), 'Accounts that may deliver the message; empty for everyone'),
    ),
    receipts: Schema.optional(receipts),
    fee: Schema.optional(rewardDetails),
    unsignedMessage: Schema.optional(
      Field.hex('Warp message without signature; absent if the source is not followed'),
    ),
    signatures: Schema.optional(Schema.as(Signatures, 'Signatures of the message, if `signatures=true`')),
    events: Schema.list(
      StoryEvent,
      'What happened, in the order of time; at most the 50 newest events of each type',
    ),
  },
)

/** Returns the signatures of a message, or the reason why there are none. */
export function signing(signedMessage: string | undefined, reason: string | undefined): Body {
  return { signedMessage, reason }
}

/** An event of a message, and the chain that logged it. */
interface Logged {
  readonly event: EvmIcm.IcmMessage | EvmIcm.IcmEvent
  readonly chain: IcmChain
}

/**
 * Returns events in the order of time. The clocks of chains differ, so a delivery counts as not earlier than the first
 * sending, and a receipt as not earlier than the delivery. Events of one time are in the order in which they usually happen.
 */
export function happened(events: readonly Logged[]): Body {
  const order = Object.keys(TYPES)
  const rank = ({ event }: Logged) => order.indexOf(typeOf(event))
  const timeOf = effectiveTimes(events)
  return events
    .toSorted((a, b) => {
      if (timeOf(a) !== timeOf(b)) return timeOf(a) < timeOf(b) ? -1 : 1
      if (a.chain.source !== b.chain.source) return rank(a) - rank(b)
      return a.event.height === b.event.height
        ? Number(a.event.logIndex - b.event.logIndex)
        : Number(a.event.height - b.event.height)
    })
    .map(({ event, chain }) => {
      const { height, time, transactionHash, logIndex, gasUsed, feeToken, feeAmount, relayer } = event
      const hasFee = feeToken?.some((byte) => byte !== 0)
      return {
        type: typeOf(event),
        evmChainId: String(chain.source.chain.chainId),
        blockNumber: String(height),
        timestamp: time,
        txHash: Hex.encode(transactionHash),
        logIndex: String(logIndex),
        gasSpent: String(gasUsed),
        relayer: relayer === null ? undefined : addressText(relayer),
        rewardRedeemer:
          'rewardRedeemer' in event && event.rewardRedeemer !== null
            ? addressText(event.rewardRedeemer)
            : undefined,
        feeToken: hasFee && feeToken !== null ? addressText(feeToken) : undefined,
        feeAmount: hasFee && feeAmount !== null ? String(feeAmount) : undefined,
      }
    })
}

/** Returns the function that returns the time at which an event counts. */
function effectiveTimes(events: readonly Logged[]): (one: Logged) => bigint {
  const first = (type: StoryType) => events.find(({ event }) => typeOf(event) === type)?.event.time ?? 0n
  const later = (one: bigint, other: bigint) => (one > other ? one : other)
  const sent = first('sent')
  const received = later(first('received'), sent)
  return ({ event }) => {
    const isAfterwards = ['receipt', 'redeemed'].includes(typeOf(event))
    return later(event.time, isAfterwards ? received : sent)
  }
}

function typeOf(event: Logged['event']): StoryType {
  return 'kind' in event ? event.kind : event.isSent ? 'sent' : 'received'
}
