import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hex, Id } from '@firn/codec'
import { createDataApi, type DataApiService } from '@firn/data-api'
import { type DeployedMessenger, deployMessenger, type WarpChain } from '@firn/demo-chain'
import type { EvmStore } from '@firn/evm-store'
import { openEvm } from '@firn/evm-store/testing'
import { createEvmIndexer } from '@firn/indexer'
import {
  createPublicClient,
  createWalletClient,
  decodeEventLog,
  type Hex as HexText,
  http,
  parseAbi,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainOf, createLocalDevnet, type LocalNetwork, startLocalNetwork } from './LocalNetwork.ts'
import { messenger } from './Receiver.ts'
import { relay } from './Relayer.ts'

const ABI = parseAbi([
  'struct Receipt { uint256 receivedMessageNonce; address relayerRewardAddress; }',
  'struct Fee { address feeTokenAddress; uint256 amount; }',
  'struct Message { uint256 messageNonce; address originSenderAddress; bytes32 destinationBlockchainID; address destinationAddress; uint256 requiredGasLimit; address[] allowedRelayerAddresses; Receipt[] receipts; bytes message; }',
  'struct Input { bytes32 destinationBlockchainID; address destinationAddress; Fee feeInfo; uint256 requiredGasLimit; address[] allowedRelayerAddresses; bytes message; }',
  'function sendCrossChainMessage(Input input) returns (bytes32)',
  'function retrySendCrossChainMessage(Message message)',
  'function addFeeAmount(bytes32 id, address token, uint256 amount)',
  'function retryMessageExecution(bytes32 source, Message message)',
  'function redeemRelayerRewards(address token)',
  'function setBroken(bool broken)',
  'event SendCrossChainMessage(bytes32 indexed messageID, bytes32 indexed destinationBlockchainID, Message message, Fee feeInfo)',
])
const TOKEN: HexText = `0x${'fe'.repeat(20)}`
const NOBODY: HexText = `0x${'0e'.repeat(20)}`
const CHAIN_IDS = [43_301n, 43_302n] as const

const folder = mkdtempSync(join(tmpdir(), 'stories-'))
const stop = new AbortController()
let network: LocalNetwork
let deployed: DeployedMessenger
let stores: EvmStore[]
let running: Promise<void>
let service: DataApiService

beforeAll(async () => {
  network = await startLocalNetwork(await createLocalDevnet({ proposedLagMs: 0 }), stop.signal)
  deployed = await deployMessenger(network.source.rpcUrl)
  expect(await deployMessenger(network.destination.rpcUrl)).toEqual(deployed)
  stores = await Promise.all(CHAIN_IDS.map((chainId) => openEvm({ chainId })))
  const urls = [network.source.rpcUrl, network.destination.rpcUrl]
  const token = { name: 'Coin', symbol: 'COIN', decimals: 18 }
  const indexer = createEvmIndexer({
    chains: stores.map((store, i) => ({
      store,
      chain: { name: 'L1', network: 'local', token },
      upstreams: [{ url: urls[i] as string }],
      checksBalances: false,
    })),
    pollMs: 50,
  })
  running = indexer.run(stop.signal)
  service = await createDataApi({
    ...{
      host: '127.0.0.1',
      port: 0,
      limits: undefined,
      aggregateStatus: 200,
      timeoutMs: 600_000,
      version: '0',
    },
    chains: stores.map((store, i) => ({ store, nodes: [urls[i] as string] })),
  })
})
afterAll(async () => {
  stop.abort()
  await running
  await service?.close()
  for (const store of stores ?? []) await store.close()
  await network?.close()
  rmSync(folder, { recursive: true })
})

/** Calls a function of a contract from the first account of a chain, and returns the logs. */
async function transact(chain: WarpChain, address: HexText, functionName: string, ...args: unknown[]) {
  const wallet = createWalletClient({ transport: http(chain.rpcUrl) })
  const [account] = (await wallet.getAddresses()) as [HexText]
  const call = { account, chain: null, address, abi: ABI, functionName, args, gas: 2_000_000n }
  const hash = await wallet.writeContract(call as never)
  const { status, logs } = await createPublicClient({ transport: http(chain.rpcUrl) }).getTransactionReceipt({
    hash,
  })
  expect([functionName, status]).toEqual([functionName, 'success'])
  return logs
}

/** Sends a message, and returns its id and what it contains. */
async function send(
  from: 0 | 1,
  { to = deployed.recipient, data = '0x01', fee = 0n }: { to?: HexText; data?: HexText; fee?: bigint } = {},
) {
  const chain = from === 0 ? network.source : network.destination
  const logs = await transact(chain, deployed.messenger, 'sendCrossChainMessage', {
    destinationBlockchainID: blockchainOf(from === 0 ? 1 : 0),
    destinationAddress: to,
    feeInfo: { feeTokenAddress: TOKEN, amount: fee },
    requiredGasLimit: 100_000n,
    allowedRelayerAddresses: [],
    message: data,
  })
  const [log] = logs as [(typeof logs)[number]]
  const { args } = decodeEventLog({ abi: ABI, data: log.data, topics: log.topics }) as {
    args: { messageID: HexText; message: object }
  }
  return { id: args.messageID, message: args.message }
}

const blockchainOf = (index: 0 | 1) => Hex.encode(chainOf(network.devnet, index).id)

/** Runs the relayer from a chain to the other one until it has delivered `count` messages. */
async function deliver(from: 0 | 1, count: number): Promise<void> {
  const enough = new AbortController()
  let delivered = 0
  const rpcs = [network.source.rpcUrl, network.destination.rpcUrl] as const
  const [account] = await createWalletClient({ transport: http(rpcs[0]) }).getAddresses()
  await relay({
    sourceRpc: rpcs[from],
    destinationRpc: rpcs[from === 0 ? 1 : 0],
    receiver: messenger(deployed.messenger, account as HexText),
    aggregator: network.aggregator,
    account: mnemonicToAccount('test test test test test test test test test test test junk', {
      addressIndex: 1,
    }),
    cursorFile: join(folder, `cursor-${from}`),
    ...{ pollMs: 20, retryMs: 1 },
    log: (event) => {
      if (event === 'delivered' && ++delivered === count) enough.abort()
    },
    signal: AbortSignal.any([enough.signal, stop.signal]),
  })
  expect(delivered).toBe(count)
}

/** Waits until the newest blocks of both chains are stored. */
async function stored(): Promise<void> {
  for (const [i, chain] of [network.source, network.destination].entries()) {
    const { hash } = await createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 }).getBlock()
    const isStored = async () => {
      const at = await stores[i]?.snapshot().catch(() => undefined)
      return at !== undefined && Hex.encode(at.hash) === hash
    }
    while (!(await isStored())) await Promise.race([sleep(50, undefined, { signal: stop.signal }), running])
  }
}

interface Story {
  readonly status: string
  readonly isRetried: boolean
  readonly isResent: boolean
  readonly fee: { readonly value: string }
  readonly events: readonly { readonly type: string; readonly evmChainId: string; readonly txHash: string }[]
}

async function storyOf(id: HexText): Promise<Story> {
  await stored()
  return (await (await fetch(`${service.url}/v1/icm/messages/${id}/story`)).json()) as Story
}

/** Returns what a story tells of the source and of the destination. The clocks of the chains may differ. */
async function readStory(id: HexText, from: 0 | 1 = 0) {
  const { status, events } = await storyOf(id)
  const on = (index: number) =>
    events.filter(({ evmChainId }) => evmChainId === String(CHAIN_IDS[index])).map(({ type }) => type)
  return [status, on(from).join(' '), on(1 - from).join(' ')]
}

test('tells the story of every message: executed, paid, sent again, failed, retried, and on its way', async () => {
  const plain = await send(0)
  const paid = await send(0, { fee: 5n })
  await transact(network.source, deployed.messenger, 'addFeeAmount', paid.id, TOKEN, 3n)
  await transact(network.source, deployed.messenger, 'retrySendCrossChainMessage', paid.message)
  const lost = await send(0, { to: NOBODY })
  await deliver(0, 3)
  await transact(network.destination, deployed.recipient, 'setBroken', true)
  const broken = await send(0)
  await deliver(0, 1)
  expect(await readStory(broken.id)).toEqual(['failed', 'sent', 'received failed'])
  await transact(network.destination, deployed.recipient, 'setBroken', false)

  const before = await rpc(network.destination, 'evm_snapshot')
  const retry = () =>
    transact(
      network.destination,
      deployed.messenger,
      'retryMessageExecution',
      blockchainOf(0),
      broken.message,
    )
  await retry()
  expect(await readStory(broken.id)).toEqual(['executed', 'sent', 'received failed executed'])
  // A reorg removes the retry.
  await rpc(network.destination, 'evm_revert', before)
  for (let i = 0; i < 2; i++) await transact(network.destination, deployed.recipient, 'setBroken', false)
  expect(await readStory(broken.id)).toEqual(['failed', 'sent', 'received failed'])
  await retry()
  expect(await storyOf(broken.id)).toMatchObject({ status: 'executed', isRetried: true, isResent: false })

  // A message without payload carries the receipts.
  const receipts = await send(1, { data: '0x' })
  await deliver(1, 1)
  await transact(network.source, deployed.messenger, 'redeemRelayerRewards', TOKEN)
  const pending = await send(0)

  expect(await readStory(plain.id)).toEqual(['executed', 'sent receipt', 'received executed'])
  expect(await readStory(paid.id)).toEqual([
    'executed',
    'sent feeAdded resent receipt redeemed',
    'received executed',
  ])
  expect(await storyOf(paid.id)).toMatchObject({ isResent: true, isRetried: false, fee: { value: '8' } })
  expect(await readStory(lost.id)).toEqual(['failed', 'sent receipt', 'received failed'])
  expect(await readStory(broken.id)).toEqual(['executed', 'sent receipt', 'received failed executed'])
  expect(await readStory(receipts.id, 1)).toEqual(['delivered', 'sent', 'received'])
  expect(await readStory(pending.id)).toEqual(['sent', 'sent', ''])

  const url = `${service.url}/v1/icm/messages?sourceBlockchainId=${Id.format(chainOf(network.devnet, 0).id)}`
  const { messages } = (await (await fetch(url)).json()) as {
    messages: { messageId: string; status: string; messageExecuted: boolean; receiptDelivered: boolean }[]
  }
  expect(
    messages.map((one) => [`0x${one.messageId}`, one.status, one.messageExecuted, one.receiptDelivered]),
  ).toEqual([
    [pending.id, 'pending', false, false],
    [broken.id, 'delivered', true, true],
    [lost.id, 'delivered', false, true],
    [paid.id, 'delivered', true, true],
    [plain.id, 'delivered', true, true],
  ])
})

async function rpc(chain: WarpChain, method: string, ...params: unknown[]): Promise<unknown> {
  return createPublicClient({ transport: http(chain.rpcUrl) }).request({ method, params } as never)
}
