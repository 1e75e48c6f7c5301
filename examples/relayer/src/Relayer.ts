import { setTimeout as sleep } from 'node:timers/promises'
import { Hex } from '@firn/codec'
import { Payload, Predicate, UnsignedMessage } from '@firn/warp'
import {
  type Account,
  createPublicClient,
  createWalletClient,
  type Hex as HexText,
  http,
  parseAbi,
} from 'viem'
import * as Cursor from './Cursor.ts'
import type { Receiver } from './Receiver.ts'
import * as SignatureAggregator from './SignatureAggregator.ts'

export { mailbox, messenger, type Receiver } from './Receiver.ts'

/** Options of {@link relay}. */
export interface RelayerOptions {
  /** Ethereum JSON-RPC of the source chain and of the destination chain. */
  readonly sourceRpc: string
  readonly destinationRpc: string
  /** Contract that sends on the source chain and receives on the destination chain. */
  readonly receiver: Receiver
  /** URL of the signature aggregator, such as `http://127.0.0.1:8080/v1/signatureAggregator/fuji`. */
  readonly aggregator: string
  /** Account that pays for the deliveries. */
  readonly account: Account
  /** File with the number of the first block that has not been processed. It is created if it does not exist. */
  readonly cursorFile: string
  /** First block to process if there is no cursor file; defaults to 0. */
  readonly startBlock?: bigint
  /** Time between two queries for new blocks; defaults to 1,000. */
  readonly pollMs?: number
  /** Time before the first retry, which doubles up to a minute; defaults to 1,000. */
  readonly retryMs?: number
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
  /** Stops the relayer. */
  readonly signal: AbortSignal
}

const WARP = '0x0200000000000000000000000000000000000005'
const WARP_ABI = parseAbi([
  'event SendWarpMessage(address indexed sender, bytes32 indexed messageID, bytes message)',
  'function getBlockchainID() view returns (bytes32)',
])
const [SEND_EVENT] = WARP_ABI

const MAX_BLOCKS = 1_000n
const MAX_ATTEMPTS = 10
const MAX_RETRY_MS = 60_000
const RECEIPT_TIMEOUT_MS = 60_000
/** Includes the verification of the signature, which eth_estimateGas may not count. */
const DELIVERY_GAS = 1_000_000n

/** Relays messages from the source chain to the destination chain, in order, until `signal` aborts. */
export async function relay(options: RelayerOptions): Promise<void> {
  const { receiver, account, cursorFile, log, signal, pollMs = 1_000 } = options
  const source = createPublicClient({ transport: http(options.sourceRpc) })
  const transport = http(options.destinationRpc)
  const destination = createPublicClient({ transport, pollingInterval: pollMs })
  const wallet = createWalletClient({ account, transport })

  const retry = createRetry(options)

  const deliver = async (bytes: HexText, destinationChain: HexText): Promise<void> => {
    const message = UnsignedMessage.decode(Hex.decode(bytes))
    const sourceChain = Hex.encode(message.sourceChainID)
    const { payload } = Payload.decodeAs(message.payload, 'AddressedCall')
    const { destination: to, about, isReceived, receive } = receiver.deliveryOf(payload, sourceChain)
    if (to !== destinationChain) return
    const { address } = receiver
    // Another relayer, or this one before it was restarted, may have delivered the message.
    if (await destination.readContract({ address, ...isReceived })) return log('delivered already', about)
    const signed = await SignatureAggregator.sign(options.aggregator, bytes, destinationChain, signal)
    const accessList = [{ address: WARP, storageKeys: Predicate.encode(signed).map(Hex.encode) }] as const
    const hash = await wallet.writeContract({
      address,
      ...receive,
      chain: null,
      accessList,
      gas: DELIVERY_GAS,
    })
    const { status } = await destination.waitForTransactionReceipt({ hash, timeout: RECEIPT_TIMEOUT_MS })
    // For example, a new epoch has begun since the signatures were collected. The retry collects them for its height.
    if (status !== 'success') throw new Error(`the delivery was reverted in transaction ${hash}`)
    log('delivered', { ...about, hash })
  }

  const relayBlocks = async (next: bigint): Promise<bigint> => {
    const latest = await source.getBlockNumber({ cacheTime: 0 })
    if (latest < next) return next
    const end = latest < next + MAX_BLOCKS ? latest : next + MAX_BLOCKS - 1n
    const range = { fromBlock: next, toBlock: end, strict: true } as const
    const logs = await source.getLogs({
      ...range,
      address: WARP,
      event: SEND_EVENT,
      args: { sender: receiver.address },
    })
    const id = await destination.readContract({
      address: WARP,
      abi: WARP_ABI,
      functionName: 'getBlockchainID',
    })
    for (const { args } of logs)
      await retry({ messageId: args.messageID }, () => deliver(args.message, id), MAX_ATTEMPTS)
    await Cursor.write(cursorFile, end + 1n)
    return end + 1n
  }

  try {
    let next = await Cursor.read(cursorFile, options.startBlock ?? 0n)
    for (;;) {
      const from = next
      next = (await retry({ from }, () => relayBlocks(from), Number.POSITIVE_INFINITY)) ?? next
      if (next === from) await sleep(pollMs, undefined, { signal })
      signal.throwIfAborted()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/**
 * Returns a function that calls `act` until it succeeds. It returns undefined if `act` fails for good, or `attempts`
 * times.
 */
function createRetry({ log, signal, retryMs = 1_000 }: RelayerOptions) {
  return async <T>(about: object, act: () => Promise<T>, attempts: number): Promise<T | undefined> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await act()
      } catch (error) {
        signal.throwIfAborted()
        const { isFinal, retryAfterMs } = error instanceof SignatureAggregator.NotSigned ? error : {}
        const reason = error instanceof Error ? error.message : String(error)
        const isOver = isFinal || attempt >= attempts
        log(isOver ? 'given up' : 'failed, will retry', { ...about, attempt, reason })
        if (isOver) return undefined
        const backOffMs = Math.min(retryMs * 2 ** (attempt - 1), MAX_RETRY_MS)
        await sleep(retryAfterMs ?? backOffMs, undefined, { signal })
      }
    }
  }
}
