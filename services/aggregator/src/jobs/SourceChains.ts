import { Hex, Id } from '@firn/codec'
import {
  type Connection,
  classify,
  connect,
  type Endpoint,
  type FailureClass,
  isRpcError,
  type RpcError,
} from '@firn/rpc'
import { backoff, type Clock } from '@firn/runtime'
import { WarpEvent } from '@firn/warp'
import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { notConfigured } from '../epochs/ChainRpc.ts'
import { AggregatorError } from '../errors/AggregatorError.ts'
import * as Schema from '../Schema.ts'
import * as Message from '../signing/Message.ts'
import { createFairSlots, type Share } from './FairSlots.ts'

/** First and longest pause between two looks for a transaction or block, in milliseconds. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5_000
/** Maximum number of calls to the chains' RPCs at the same time. */
const MAX_CALLS = 16
/** Maximum length of a response, in bytes. A block's messages may be large. */
const MAX_RESPONSE_BYTES = 16 << 20

const hex = (bytes: number) => Type.String({ pattern: `^0x[0-9a-fA-F]{${2 * bytes}}$` })
const quantity = Type.String({ pattern: '^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,12})$' })

const Log = Type.Object({
  address: hex(20),
  topics: Type.Array(hex(32), { maxItems: 4 }),
  data: Type.String({ pattern: '^0x([0-9a-fA-F]{2})*$' }),
  logIndex: quantity,
  transactionHash: hex(32),
})
const Logs = Type.Array(Log)
const Block = Type.Object({ hash: hex(32), number: quantity })
const Receipt = Type.Object({ status: quantity, blockHash: hex(32), blockNumber: quantity, logs: Logs })

/** A place on a source chain that contains Warp messages. */
export interface Source {
  /** Blockchain id, 32 bytes. */
  readonly chainId: Uint8Array
  /** The hash of a transaction (hex with 0x), or the number of a block. */
  readonly at: { readonly transactionHash: string } | { readonly blockNumber: number }
}

/** JSON schema of a Warp message that was found on its source chain. */
export const SourceMessageJson = Schema.object('SourceMessage', 'A Warp message of a source chain', {
  unsignedMessage: Schema.text(
    'Unsigned message in hex without 0x; only if the request names a source chain',
    Schema.EXAMPLE.message,
  ),
  transactionHash: Schema.text('Hash of the transaction that sent the message', Schema.EXAMPLE.hash),
  logIndex: Schema.integer('Index of the log of the message in its block', 3),
  blockNumber: Schema.integer('Number of the block', 68_000_000),
})

type SourceMessage = Readonly<Static<typeof SourceMessageJson>>

/** Finds Warp messages on chains whose RPC the operator has configured. */
export interface SourceChains {
  /**
   * Throws if the operator has not configured an RPC of the chain (32 bytes).
   * @throws AggregatorError `AGGREGATOR_CHAIN_NOT_CONFIGURED`
   */
  assertConfigured(chainId: Uint8Array): void
  /**
   * Waits until a transaction or block is accepted, and returns its Warp messages in their order. `share`
   * identifies the job or request, so that the calls are shared fairly.
   * @throws AggregatorError `AGGREGATOR_CHAIN_NOT_CONFIGURED`, `AGGREGATOR_CHAIN_RPC`, `AGGREGATOR_MESSAGE`,
   * `AGGREGATOR_NOT_ACCEPTED`
   */
  find(
    source: Source,
    limits: { readonly deadlineMs: number; readonly signal: AbortSignal; readonly share: Share },
  ): Promise<readonly SourceMessage[]>
}

/** Options of {@link createSourceChains}. */
export interface SourceChainsOptions {
  /** RPC endpoints of the operator by blockchain id (CB58). */
  readonly endpoints: ReadonlyMap<string, Endpoint>
  readonly clock: Clock
  /** Maximum time of one call, in milliseconds. */
  readonly timeoutMs: number
  readonly fetch?: typeof fetch
  readonly random?: () => number
}

type Call = (method: string, params: readonly unknown[]) => Promise<unknown>

/** Creates {@link SourceChains}. Sends nothing before the first request. */
export function createSourceChains({
  endpoints,
  clock,
  timeoutMs,
  fetch: send,
  random = Math.random,
}: SourceChainsOptions): SourceChains {
  const slots = createFairSlots(MAX_CALLS)
  const limits = { timeoutMs, maxResponseBytes: MAX_RESPONSE_BYTES, fetch: send }
  const connections = new Map(
    [...endpoints].map(([chainId, endpoint]) => [chainId, connect({ ...endpoint, ...limits })]),
  )
  return {
    assertConfigured: (chainId) => void connectionOf(connections, chainId),
    find: async ({ chainId, at }, { deadlineMs, signal, share }) => {
      const end = clock.now() + deadlineMs
      const connection = connectionOf(connections, chainId)
      const call: Call = (method, params) =>
        slots.run(share, signal, () => connection.call(method, params, { signal }))
      const look =
        'blockNumber' in at
          ? () => blockLogs(call, at.blockNumber)
          : () => receiptLogs(call, at.transactionHash)
      for (let attempt = 1; ; attempt++) {
        const { logs, failure } = await outcomeOf(look(), signal)
        if (logs !== undefined) return toMessages(logs, chainId, describe(at))
        const pause = backoff(attempt, { random, first: FIRST_PAUSE_MS, longest: LONGEST_PAUSE_MS })
        if (clock.now() + pause >= end) throw failure === undefined ? notAccepted(at) : broken(failure)
        await clock.sleep(pause, signal)
      }
    },
  }
}

interface Look {
  readonly logs?: AcceptedLogs | undefined
  readonly failure?: RpcError | undefined
}

/** Returns the result of a look. Errors of the node are returned too, because a later look may succeed. */
async function outcomeOf(look: Promise<AcceptedLogs | undefined>, signal: AbortSignal): Promise<Look> {
  try {
    return { logs: await look }
  } catch (error) {
    signal.throwIfAborted()
    if (!isRpcError(error)) throw error
    return isUnfinalized(error) ? {} : { failure: error }
  }
}

function connectionOf(connections: ReadonlyMap<string, Connection>, chainId: Uint8Array): Connection {
  const id = Id.format(chainId)
  const connection = connections.get(id)
  if (connection !== undefined) return connection
  throw notConfigured('sourceChain', id)
}

/**
 * The logs of an accepted block, and its number. For nodes of Avalanche, the latest block is the last accepted
 * one, so they serve no block before it is accepted.
 */
interface AcceptedLogs {
  readonly logs: Static<typeof Logs>
  readonly blockNumber: number
}

/** Returns the Warp logs of a block, or undefined while it is not accepted. */
async function blockLogs(call: Call, number: number): Promise<AcceptedLogs | undefined> {
  const block = await acceptedBlock(call, `0x${number.toString(16)}`)
  if (block === undefined) return undefined
  const [address, topic] = [Hex.encode(WarpEvent.ADDRESS), Hex.encode(WarpEvent.TOPIC)]
  const logs = await call('eth_getLogs', [{ blockHash: block.hash, address, topics: [topic] }])
  return { logs: check(Logs, logs, 'eth_getLogs'), blockNumber: number }
}

/** Returns the logs of a transaction, or undefined while it is not accepted. */
async function receiptLogs(call: Call, hash: string): Promise<AcceptedLogs | undefined> {
  const response = (await call('eth_getTransactionReceipt', [hash])) ?? undefined
  if (response === undefined) return undefined
  const receipt = check(Receipt, response, 'eth_getTransactionReceipt')
  // A receipt of a block that was replaced, or is not accepted yet, does not count.
  const block = await acceptedBlock(call, receipt.blockNumber)
  if (block?.hash !== receipt.blockHash) return undefined
  if (Number(receipt.status) === 1) return { logs: receipt.logs, blockNumber: Number(receipt.blockNumber) }
  throw new AggregatorError(
    'AGGREGATOR_MESSAGE',
    `transactionHash: the transaction ${hash} failed on its chain, so it sent no messages`,
    { details: { field: 'transactionHash' } },
  )
}

async function acceptedBlock(call: Call, number: string): Promise<Static<typeof Block> | undefined> {
  const block = (await call('eth_getBlockByNumber', [number, false])) ?? undefined
  return block === undefined ? undefined : check(Block, block, 'eth_getBlockByNumber')
}

function toMessages(
  { logs, blockNumber }: AcceptedLogs,
  chainId: Uint8Array,
  where: string,
): readonly SourceMessage[] {
  const warp = logs.filter(
    ({ address, topics: [topic = '0x'] }) => is(address, WarpEvent.ADDRESS) && is(topic, WarpEvent.TOPIC),
  )
  if (warp.length === 0) {
    throw new AggregatorError('AGGREGATOR_MESSAGE', `${where} contains no Warp messages`)
  }
  return warp.map(({ data, transactionHash, logIndex }) => {
    const { bytes, unsigned } = decode(data)
    const found = Id.format(unsigned.sourceChainID)
    if (found !== Id.format(chainId)) {
      throw unusable(`a message of the chain ${found}; --chain-rpc may have the URL of another chain`)
    }
    return {
      unsignedMessage: Hex.encodeBare(bytes),
      transactionHash: transactionHash.toLowerCase(),
      logIndex: Number(logIndex),
      blockNumber,
    }
  })
}

function decode(data: string): Message.Message {
  try {
    return Message.decode(Hex.decode(data))
  } catch (cause) {
    throw unusable(`a SendWarpMessage event that cannot be decoded: ${(cause as Error).message}`)
  }
}

function is(text: string, bytes: Uint8Array): boolean {
  return text.toLowerCase() === Hex.encode(bytes)
}

function check<S extends TSchema>(schema: S, value: unknown, method: string): Static<S> {
  if (Check(schema, value)) return value as Static<S>
  throw unusable(`a malformed result of ${method}`)
}

function describe(at: Source['at']): string {
  return 'blockNumber' in at
    ? `blockNumber: the block ${at.blockNumber}`
    : `transactionHash: the transaction ${at.transactionHash}`
}

function notAccepted(at: Source['at']): AggregatorError {
  return new AggregatorError(
    'AGGREGATOR_NOT_ACCEPTED',
    `${describe(at)} was not accepted within the request’s time`,
  )
}

/** Returns whether an error is a node's response to a request for a block that is not accepted yet. */
function isUnfinalized(error: RpcError): boolean {
  return classify(error) === 'answered' && /unfinalized|not found|unknown block/i.test(error.message)
}

const CAUSES: Readonly<Record<FailureClass, string>> = {
  unreachable: 'it cannot be reached',
  timeout: 'it did not respond in time',
  aborted: 'the request was aborted',
  limited: 'it accepts no more requests for now',
  unavailable: 'it is unavailable for now',
  absent: 'it does not serve the RPC of this chain (HTTP status 404); check --chain-rpc',
  refused: 'it refused the request; check --chain-rpc',
  tooLarge: 'the request is too large for it',
  oversize: 'its response is too long',
  malformed: 'its response is malformed; check --chain-rpc',
  answered: 'it responded with an error',
  invalid: 'the request is invalid',
}

/** The text contains no address, because the operator's URL may contain a key. */
function broken(cause: RpcError): AggregatorError {
  return new AggregatorError(
    'AGGREGATOR_CHAIN_RPC',
    `sourceChain: the request to the chain’s node failed: ${CAUSES[classify(cause)]}`,
    { details: { field: 'sourceChain' }, cause },
  )
}

function unusable(what: string): AggregatorError {
  return new AggregatorError('AGGREGATOR_CHAIN_RPC', `sourceChain: the node of the chain returned ${what}`, {
    details: { field: 'sourceChain' },
  })
}
