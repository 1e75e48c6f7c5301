import { Bytes, Hex, isFirnError } from '@firn/codec'
import { Payload, UnsignedMessage, WarpEvent } from '@firn/warp'
import type { Block, Log, Transaction } from './Block.ts'
import type { EventInput } from './EventAbi.ts'
import * as EventAbi from './EventAbi.ts'
import * as EventDecoder from './EventDecoder.ts'
import * as TeleporterMessage from './TeleporterMessage.ts'

/** The fee of a message: an amount of an ERC-20 token on the source chain. */
export interface Fee {
  readonly token: Uint8Array
  readonly amount: bigint
}

/** Where an event was logged. */
interface Logged {
  readonly logIndex: bigint
  readonly transactionIndex: number
  /** The messenger contract; for `warp`, the contract that sent the message. */
  readonly contract: Uint8Array
}

/** A Warp message that no messenger contract sent. */
export interface WarpSent extends Logged {
  readonly kind: 'warp'
  /** Id of the Warp message: SHA-256 of its bytes. */
  readonly warpId: Uint8Array
  /** Blockchain id of the chain. */
  readonly source: Uint8Array
  /** The Warp message without signature. */
  readonly unsigned: Uint8Array
}

/** A messenger sent a message, or sent it again. */
export interface MessageSent extends Omit<WarpSent, 'kind'> {
  readonly kind: 'sent'
  readonly messageId: Uint8Array
  readonly message: TeleporterMessage.TeleporterMessage
  readonly fee: Fee
}

/** A messenger received a message on its destination chain. */
export interface MessageReceived extends Logged {
  readonly kind: 'received'
  readonly messageId: Uint8Array
  readonly source: Uint8Array
  readonly message: TeleporterMessage.TeleporterMessage
  /** Account that delivered the message. */
  readonly relayer: Uint8Array
  /** Address that may redeem the fee on the source chain. */
  readonly rewardRedeemer: Uint8Array
  /** The data of the log, from which the message can be decoded again. */
  readonly data: Uint8Array
}

/** The recipient executed a message, at its delivery or later, or failed to. */
export interface MessageExecution<Kind extends 'executed' | 'failed'> extends Logged {
  readonly kind: Kind
  readonly messageId: Uint8Array
  readonly source: Uint8Array
}

/** The fee of a sent message was raised. The amount is the new total. */
export interface FeeAdded extends Logged {
  readonly kind: 'feeAdded'
  readonly messageId: Uint8Array
  readonly fee: Fee
}

/** The source chain learned that a message was delivered. The relayer may now redeem the fee. */
export interface ReceiptReceived extends Logged {
  readonly kind: 'receipt'
  readonly messageId: Uint8Array
  readonly destination: Uint8Array
  readonly relayer: Uint8Array
  readonly fee: Fee
}

/** A relayer redeemed all its fees of a token. */
export interface RewardsRedeemed extends Logged {
  readonly kind: 'redeemed'
  readonly relayer: Uint8Array
  readonly fee: Fee
}

/** An event of Avalanche's interchain messaging (ICM). */
export type IcmEvent =
  | WarpSent
  | MessageSent
  | MessageReceived
  | MessageExecution<'executed'>
  | MessageExecution<'failed'>
  | FeeAdded
  | ReceiptReceived
  | RewardsRedeemed

const input = (type: string, indexed: boolean): EventInput => ({ name: '', type, indexed })
const indexed = (type: string) => input(type, true)
const [id, chain, account] = [indexed('bytes32'), indexed('bytes32'), indexed('address')]
const fee: EventInput = {
  ...input('tuple', false),
  components: [
    { name: '', type: 'address' },
    { name: '', type: 'uint256' },
  ],
}
const { PARAMETER: message } = TeleporterMessage

/** The events of a TeleporterMessenger contract by the kinds that they become. */
const ABI = {
  sent: { name: 'SendCrossChainMessage', inputs: [id, chain, message, fee] },
  received: {
    name: 'ReceiveCrossChainMessage',
    inputs: [id, chain, account, input('address', false), message],
  },
  executed: { name: 'MessageExecuted', inputs: [id, chain] },
  failed: { name: 'MessageExecutionFailed', inputs: [id, chain, message] },
  feeAdded: { name: 'AddFeeAmount', inputs: [id, fee] },
  receipt: { name: 'ReceiptReceived', inputs: [id, chain, account, fee] },
  redeemed: { name: 'RelayerRewardsRedeemed', inputs: [account, account, input('uint256', false)] },
} as const satisfies { readonly [kind: string]: EventAbi.EventAbi }
type MessengerKind = keyof typeof ABI

/**
 * Topic 0 of each event of a messenger contract, in hex with `0x`, by the kind of event that it becomes.
 *
 * @example
 * ```ts
 * import { IcmEvents } from '@firn/evm'
 *
 * console.log(IcmEvents.TOPICS.executed)
 * ```
 */
export const TOPICS = Object.fromEntries(
  Object.entries(ABI).map(([kind, event]) => [kind, Hex.encode(EventAbi.topic(event))]),
) as { readonly [kind in MessengerKind]: `0x${string}` }
/**
 * First topics of all logs that events are read from: of messenger contracts, and of the Warp precompile.
 *
 * @example
 * ```ts
 * import { IcmEvents } from '@firn/evm'
 *
 * IcmEvents.ALL_TOPICS.length // 8
 * ```
 */
export const ALL_TOPICS: readonly Uint8Array[] = [WarpEvent.TOPIC, ...Object.values(TOPICS).map(Hex.decode)]

/** The kinds with their topics, by the first four bytes of the topic, because most logs of a block are none of these. */
const KINDS = new Map(
  Object.entries(TOPICS).map(([kind, text]) => {
    const topic = Hex.decode(text)
    return [beginOf(topic), { kind: kind as MessengerKind, topic }]
  }),
)

/** A transaction with its logs; the fields of `Transaction` that events are read from. */
export type WithLogs = Pick<Transaction, 'index' | 'logs'>

/**
 * Returns the events of a block in the order of its logs. Any contract can log such events, so the events of a message whose
 * id does not match its contents are left out, and so is a sent message without the Warp message that carries it. What
 * remains is true of messengers at the address of the contract. `executed`, `failed`, `feeAdded` and `receipt` only count
 * if the contract of the message with the same id logged them.
 *
 * @example
 * ```ts
 * import { type Block, IcmEvents } from '@firn/evm'
 *
 * declare const block: Block
 * for (const { kind, contract } of IcmEvents.of(block)) console.log(kind, contract)
 * ```
 */
export function of({ transactions }: Pick<Block, 'transactions'>): IcmEvent[] {
  return transactions.flatMap(ofTransaction)
}

/**
 * Returns the events of a transaction in the order of its logs, as {@link of} does.
 * Never throws: logs of another form are left out.
 *
 * @example
 * ```ts
 * import { IcmEvents, type Log } from '@firn/evm'
 *
 * declare const logs: readonly Log[]
 * const events = IcmEvents.ofTransaction({ index: 0, logs })
 * ```
 */
export function ofTransaction({ index, logs }: WithLogs): IcmEvent[] {
  const warps = logs.flatMap((log) => readWarp(log, index) ?? [])
  const events = logs.flatMap((log) => {
    const kind = kindOf(log)
    if (kind === undefined) return []
    const values = EventDecoder.decode(ABI[kind], log)
    const rest = values && READERS[kind](values as never, { log, warps })
    if (rest === undefined) return []
    const logged = { logIndex: log.index, transactionIndex: index, contract: log.address }
    return [{ kind, ...logged, ...rest } as IcmEvent]
  })
  return [...events, ...warps].sort((a, b) => Number(a.logIndex - b.logIndex))
}

function kindOf({ topics: [topic] }: Log): MessengerKind | undefined {
  const found = topic && KINDS.get(beginOf(topic))
  return found !== undefined && Bytes.equals(found.topic, topic as Uint8Array) ? found.kind : undefined
}

function beginOf(topic: Uint8Array): number {
  return new DataView(topic.buffer, topic.byteOffset, topic.byteLength).getUint32(0)
}

function readWarp(log: Log, transactionIndex: number): WarpSent | undefined {
  if (!Bytes.equals(log.address, WarpEvent.ADDRESS)) return undefined
  try {
    const { sender, messageId, message } = WarpEvent.decode(log)
    const place = { logIndex: log.index, transactionIndex, contract: sender }
    const unsigned = WarpEvent.decodeData(log.data)
    return { kind: 'warp', ...place, warpId: messageId, source: message.sourceChainID, unsigned }
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}

/** Everything else in the transaction that an event is read from. */
interface Surroundings {
  readonly log: Log
  /** The Warp messages of the transaction. Those that a messenger sent are taken out. */
  readonly warps: WarpSent[]
}

/** What an event has besides its kind and where it was logged. */
type Rest<K> = Omit<Extract<IcmEvent, { readonly kind: K }>, keyof Logged | 'kind'>
type Read<K> = (values: never, around: Surroundings) => Rest<K> | undefined
type FeeValue = readonly [token: Uint8Array, amount: bigint]
type Chain = readonly [messageId: Uint8Array, blockchainId: Uint8Array]
type Parties = readonly [relayer: Uint8Array, rewardRedeemer: Uint8Array]

const feeOf = ([token, amount]: FeeValue): Fee => ({ token, amount })

const READERS: { readonly [K in MessengerKind]: Read<K> } = {
  sent: ([messageId, , value, fee]: readonly [...Chain, EventDecoder.Value, FeeValue], { log, warps }) => {
    const message = TeleporterMessage.ofValue(value)
    const position = warps.findIndex((warp) => carries(warp, log.address, message))
    const warp = warps[position]
    if (warp === undefined || !isOf(messageId, log.address, warp.source, message)) return undefined
    warps.splice(position, 1)
    const { warpId, source, unsigned } = warp
    return { messageId, warpId, source, unsigned, message, fee: feeOf(fee) }
  },
  received: (
    [messageId, source, relayer, rewardRedeemer, value]: readonly [...Chain, ...Parties, EventDecoder.Value],
    { log },
  ) => {
    const message = TeleporterMessage.ofValue(value)
    if (!isOf(messageId, log.address, source, message)) return undefined
    return { messageId, source, message, relayer, rewardRedeemer, data: log.data }
  },
  executed: ([messageId, source]: Chain) => ({ messageId, source }),
  failed: ([messageId, source]: Chain) => ({ messageId, source }),
  feeAdded: ([messageId, fee]: readonly [Uint8Array, FeeValue]) => ({ messageId, fee: feeOf(fee) }),
  receipt: ([messageId, destination, relayer, fee]: readonly [...Chain, Uint8Array, FeeValue]) => ({
    ...{ messageId, destination, relayer },
    fee: feeOf(fee),
  }),
  redeemed: ([relayer, ...fee]: readonly [Uint8Array, ...FeeValue]) => ({ relayer, fee: feeOf(fee) }),
}

/** Returns whether a contract sent a message with a Warp message. */
function carries(
  { contract, unsigned }: WarpSent,
  messenger: Uint8Array,
  { nonce, destination }: TeleporterMessage.TeleporterMessage,
): boolean {
  if (!Bytes.equals(contract, messenger)) return false
  const carried = messageOf(unsigned)
  return carried !== undefined && carried.nonce === nonce && Bytes.equals(carried.destination, destination)
}

/**
 * Returns the message of a messenger contract in a Warp message without signature, or undefined if there is none.
 * Never throws.
 *
 * @example
 * ```ts
 * import { IcmEvents } from '@firn/evm'
 *
 * declare const unsigned: Uint8Array
 * console.log(IcmEvents.messageOf(unsigned)?.data)
 * ```
 */
export function messageOf(unsigned: Uint8Array): TeleporterMessage.TeleporterMessage | undefined {
  try {
    const { payload } = UnsignedMessage.decode(unsigned)
    const call = Payload.decode(payload)
    return call.type === 'AddressedCall' ? TeleporterMessage.decode(call.payload) : undefined
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}

/**
 * Returns the message in the data of a log about its delivery.
 *
 * @example
 * ```ts
 * import { IcmEvents } from '@firn/evm'
 *
 * declare const data: Uint8Array
 * console.log(IcmEvents.messageOfDelivery(data)?.data)
 * ```
 */
export function messageOfDelivery(data: Uint8Array): TeleporterMessage.TeleporterMessage | undefined {
  const event = { name: '', inputs: [input('address', false), message] }
  const [, value] = EventDecoder.decode(event, { topics: [new Uint8Array()], data }) ?? []
  return value === undefined ? undefined : TeleporterMessage.ofValue(value)
}

function isOf(
  messageId: Uint8Array,
  contract: Uint8Array,
  source: Uint8Array,
  { destination, nonce }: TeleporterMessage.TeleporterMessage,
): boolean {
  return Bytes.equals(messageId, TeleporterMessage.id(contract, source, destination, nonce))
}
