import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Avalanche } from '@avalanche-sdk/chainkit'
import { Hex } from '@firn/codec'
import { btcbLogs, icmId, icmLogs, type TestMessage } from '@firn/evm/testing'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import {
  evmBlock,
  evmHash,
  evmTransaction,
  openEvm,
  recordedEvmStore,
  TEST_CHAIN,
} from '@firn/evm-store/testing'
import { openUsage } from '@firn/service-store/testing'
import { Store } from '@firn/store'
import { inventedDag, Recordings, recordedStore, storeDag } from '@firn/store/testing'
import { createDataApi } from '../service/Service.ts'
import { client } from './client.ts'
import { plainEvm } from './plainEvm.ts'
import { newKey } from './serveWebhooks.ts'

/** Balances of the addresses of the recorded network. */
const BALANCES: { readonly platform: object } = JSON.parse(
  readFileSync(new URL('../../vectors/balances.json', import.meta.url), 'utf8'),
)

const EVM = { chainId: '43112' }
const EWOQ = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
const PLATFORM = { blockchainId: 'p-chain' }
const AVM = { blockchainId: 'x-chain' }
const PRIMARY_SUBNET = '11111111111111111111111111111111LpoYY'
const ADDRESS = '0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC'

/** A message between chains, which one of the chains has sent. */
const MESSAGE: TestMessage = {
  messenger: `0x${'25'.repeat(20)}`,
  source: `0x${'a1'.repeat(32)}`,
  destination: `0x${'b2'.repeat(32)}`,
  nonce: 1n,
  from: `0x${'1a'.repeat(20)}`,
  to: `0x${'1b'.repeat(20)}`,
  data: '0xc0ffee',
}

const WEBHOOK = {
  ...EVM,
  eventType: 'address_activity' as const,
  url: 'https://example.com/',
  metadata: { addresses: [ADDRESS] },
}

const EXPORT = {
  type: 'TRANSACTION_EXPORT_EVM' as const,
  options: { addresses: [ADDRESS], includeChains: [EVM.chainId] },
}

/** Requests by method. Where the same request suits several methods, it is below the name of their group. */
const REQUESTS: Readonly<Record<string, object | undefined>> = {
  'data.evm.address': { ...EVM, address: ADDRESS },
  'data.evm.chains.list': {},
  'data.evm.chains.get': EVM,
  'data.evm.chains.getAddressChains': { address: ADDRESS },
  'data.evm.chains.listAllLatestBlocks': {},
  'data.evm.chains.listAllLatestTransactions': {},
  'data.evm.blocks': { ...EVM, blockId: '20' },
  'data.evm.transactions': EVM,
  'data.primaryNetwork': {},
  'data.primaryNetwork.balances': { ...PLATFORM, addresses: EWOQ },
  'data.primaryNetwork.blocks': { ...PLATFORM, blockId: '7' },
  'data.primaryNetwork.getBlockchainById': { blockchainId: PRIMARY_SUBNET },
  'data.primaryNetwork.rewards': { addresses: EWOQ },
  'data.primaryNetwork.transactions.listActiveStakingTransactions': PLATFORM,
  'data.primaryNetwork.transactions.listLatest': PLATFORM,
  'data.primaryNetwork.utxos': { ...PLATFORM, addresses: EWOQ },
  'data.primaryNetwork.utxos.getLastActivityTimestampByAddressesV2': body({ ...PLATFORM }),
  'data.primaryNetwork.utxos.listByAddressesV2': body({ ...PLATFORM }),
  'data.usageMetrics': {},
  'data.icm': { messageId: icmId(MESSAGE).slice(2), address: MESSAGE.from },
  'data.teleporter': { messageId: icmId(MESSAGE).slice(2), address: MESSAGE.from },
  'metrics.chains.getICMSummary': {},
  'metrics.chains.getICMTimeseries': {},
  'data.operations.exportTransactions': EXPORT,
  'webhooks.create': WEBHOOK,
  'webhooks.list': {},
  'metrics.chains': { ...EVM, metric: 'txCount' },
  'metrics.chains.listBTCbBridgersAboveThreshold': { threshold: '1000000' },
  'metrics.l1Validators.listMetrics': { metric: 'totalPayingValidatorsDaily' },
  'metrics.l1Validators.getMetricsByValidationId': {
    l1ValidationId: 'YZDVkbBGceEBQwBjYJo2czHdRmpzk1ugEqmL6CkzkQigjNQjW',
    metric: 'validationFeesDaily',
  },
  'metrics.l1Validators.getMetricsByNodeId': {
    nodeId: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
    metric: 'perNodeDailyFeesPaid',
  },
  'metrics.l1Validators.getMetricsBySubnetId': {
    subnetId: '249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW',
    metric: 'perSubnetDailyFeesPaid',
  },
  'metrics.subnets.getValidators': { subnetId: PRIMARY_SUBNET },
  'metrics.networks.getStakingMetrics': { metric: 'validatorCount' },
}

function body(request: object): object {
  return { ...request, primaryNetworkAddressesBodyDto: { addresses: EWOQ } }
}

/** A chain with a message, which grows while it is served. */
interface Messenger {
  readonly store: EvmStore
  readonly writer: EvmWriter
}

/** Running services with records for every method of the official clients. */
export interface SdkFixture {
  /** URL of a service of a recorded network. */
  readonly url: string
  /** URL of a service of a network whose X-chain had vertices. */
  readonly dagUrl: string
  /** Key of an owner of webhooks. */
  readonly ownerKey: string
  /** Paths that the service has. */
  readonly paths: readonly string[]
  /** Names of the methods and groups that have a request. */
  readonly requestNames: readonly string[]
  /** Returns the request of the method, or of the nearest group that contains it. */
  requestOf(name: string): object | undefined
  close(): Promise<void>
}

/** Functions that close what was opened, in the order of its opening. */
type Closers = (() => unknown)[]

/** Starts the services. For tests only. */
export async function openSdkFixture(): Promise<SdkFixture> {
  const closers: Closers = []
  const network = await recordedStore('local')
  const messenger = await storeMessenger()
  const url = await serve(network, messenger, closers)
  const ownerKey = await newKey(network, ['webhooks', 'usage'])
  const store = await Store.open({})
  await store.migrate()
  await storeDag(store, inventedDag(Recordings.load('local'), { transactions: 6, seed: 1 }))
  const dagUrl = await serve(store, messenger, closers)
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { readonly paths: object }
  const owner = client(url, ownerKey)
  const found = {
    ...(await find(url, owner, client(dagUrl))),
    validateWebhook: await deliver(owner, messenger, closers),
  }
  const requests: Readonly<Record<string, object | undefined>> = { ...REQUESTS, ...found }
  return {
    ...{ url, dagUrl, ownerKey, paths: Object.keys(document.paths), requestNames: Object.keys(requests) },
    requestOf: (name) => {
      for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1)) {
        const request = requests[name.slice(0, end)]
        if (request !== undefined) return request
      }
      return undefined
    },
    close: async () => {
      for (const close of closers.reverse()) await close()
    },
  }
}

/** Starts the service for a network and an EVM chain with a node, an aggregator and a gateway's usage. */
async function serve(store: Store, messenger: Messenger, closers: Closers): Promise<string> {
  const usage = await openUsage()
  const limits = undefined
  const service = await createDataApi({
    ...{ store, usage, limits, host: '127.0.0.1', port: 0, alias: 'fuji', timeoutMs: 600_000, version: '0' },
    chains: [
      { store: await recordedEvmStore('c'), nodes: [await answering({ result: '0x1' }, closers)] },
      { store: messenger.store, nodes: [] },
      { store: await storeBridge(closers), nodes: [] },
    ],
    webhooks: { isDelivering: true, networks: ['127.0.0.1'] },
    aggregatorUrl: await answering({ signedMessage: 'abcd' }, closers),
    aggregateStatus: 'auto',
  })
  closers.push(() => usage.close(), service.close)
  return service.url
}

/** Chain id of the newest fixture. The database keeps how far the webhooks of a chain are, also for later fixtures. */
let lastChainId = 1_000n

/** Stores a chain whose only transaction sends the message. */
async function storeMessenger(): Promise<Messenger> {
  const store = await openEvm({ chainId: ++lastChainId })
  const writer = await EvmWriter.open(store, { ...TEST_CHAIN, chainId: store.chainId })
  const logs = icmLogs.sent(MESSAGE).map((log, index) => ({ ...log, index: BigInt(index) }))
  const transactions = [evmTransaction({ hash: evmHash(0n, 1), logs })]
  const block = evmBlock(0n, { hash: evmHash(0n, 0), timestamp: 1_700_000_000n, transactions })
  await writer.commit([{ block, contracts: [] }])
  return { store, writer }
}

/** Stores a chain with the id of the C-chain of Mainnet, to which bitcoins were bridged. */
async function storeBridge(closers: Closers): Promise<EvmStore> {
  const store = await openEvm({ chainId: 43_114n })
  closers.push(() => store.close())
  const writer = await EvmWriter.open(store, { ...TEST_CHAIN, chainId: store.chainId })
  const logs = btcbLogs.minted(ADDRESS, 1_500_000n).map((log, index) => ({ ...log, index: BigInt(index) }))
  const block = evmBlock(0n, { transactions: [evmTransaction({ logs })] })
  await writer.commit([{ block, contracts: [] }])
  return store
}

/** Creates a webhook, stores a block with a transaction of its address, and returns the request that is delivered. */
async function deliver(owner: Avalanche, messenger: Messenger, closers: Closers): Promise<object> {
  const delivered = Promise.withResolvers<{ readonly body: string; readonly headers: object }>()
  const target = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    delivered.resolve({ body, headers: request.headers })
    response.end()
  })
  const url = await listening(target, closers)
  const chainId = String(messenger.store.chainId)
  await owner.webhooks.create({ ...WEBHOOK, chainId, url, metadata: { addresses: [ADDRESS] } })
  const { secret } = await owner.webhooks.getSharedSecret()
  const transactions = [evmTransaction({ hash: evmHash(1n, 1), from: Hex.decode(ADDRESS) })]
  const facts = { hash: evmHash(1n, 0), parentHash: evmHash(0n, 0), timestamp: 1_700_000_001n, transactions }
  await messenger.writer.commit([{ block: evmBlock(1n, facts), contracts: [] }])
  return { request: { ...(await delivered.promise), url, method: 'POST' }, secret }
}

/** Starts a server that gives the same answer to every request, in the place of a node or an aggregator. */
async function answering(answer: object, closers: Closers): Promise<string> {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const asked = JSON.parse(text)
    const to = ({ id }: { readonly id: unknown }) => ({ jsonrpc: '2.0', id, ...answer })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(to) : to(asked)))
  })
  return listening(server, closers)
}

async function listening(server: Server, closers: Closers): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Returns requests for records of the recordings. `dag` is the client of a network whose X-chain had vertices. */
async function find(url: string, owner: Avalanche, dag: Avalanche): Promise<Record<string, object>> {
  const found: Record<string, object> = {}
  const sdk = client(url)
  const { primaryNetwork } = sdk.data
  const first = async <T>(pages: Promise<AsyncIterable<{ readonly result: T }>>): Promise<T> => {
    for await (const { result } of await pages) return result
    throw new Error('the list has no page')
  }
  const { transfers, transactions } = plainEvm('c', true)
  const contract = (standard: number) => transfers.find((one) => one.standard === standard)?.contract
  const nft = transfers.find(({ standard }) => standard === 721)
  const deployed = transactions.find(({ receipt }) => receipt.contractAddress)?.receipt.contractAddress
  found['data.evm.contracts'] = { ...EVM, address: contract(20) }
  found['data.evm.contracts.getMetadata'] = { ...EVM, address: deployed }
  found['data.evm.contracts.getDeploymentTransaction'] = { ...EVM, address: deployed }
  found['data.nfts'] = { ...EVM, address: nft?.contract, tokenId: String(nft?.tokenId) }
  found['data.evm.transactions.get'] = { ...EVM, txHash: transactions[0]?.transaction.hash }
  const { subnets } = await first(primaryNetwork.listSubnets({}))
  found['data.primaryNetwork.getSubnetById'] = { subnetId: subnets[0]?.subnetId }
  const { validators } = await first(primaryNetwork.listValidators({}))
  const { proposerDetails: proposer } = await primaryNetwork.blocks.get({
    blockchainId: 'p-chain',
    blockId: '7',
  })
  found['data.primaryNetwork.blocks.listByNodeId'] = { ...PLATFORM, nodeId: proposer?.proposerNodeId }
  found['data.primaryNetwork.getValidatorDetails'] = { nodeId: validators[0]?.nodeId }
  const latest = await first(primaryNetwork.transactions.listLatest({ blockchainId: 'p-chain' }))
  const txHash = latest.transactions[0]?.txHash
  found['data.primaryNetwork.transactions.get'] = { ...PLATFORM, txHash }
  const utxos = await first(
    primaryNetwork.utxos.listByAddresses({ blockchainId: 'x-chain', addresses: EWOQ }),
  )
  const [asset] = utxos.utxos.map((utxo) => utxo.asset as { readonly assetId: string })
  found['data.primaryNetwork.getAssetDetails'] = { ...AVM, assetId: asset?.assetId }
  found['data.primaryNetwork.transactions.listAssetTransactions'] = { ...AVM, assetId: asset?.assetId }
  const conversion = { addresses: EWOQ, txTypes: ['ConvertSubnetToL1Tx'] as ['ConvertSubnetToL1Tx'] }
  const l1s = await first(primaryNetwork.transactions.listLatest({ blockchainId: 'p-chain', ...conversion }))
  found['data.signatureAggregator.get'] = { txHash: l1s.transactions[0]?.txHash }
  const signatureAggregatorRequest = { message: '0x0000' }
  found['data.signatureAggregator.aggregate'] = { network: 'fuji', signatureAggregatorRequest }
  // The SDK accepts only the chain ids of Mainnet and Fuji, so this address must be on the P-chain alone.
  const known = Object.keys(BALANCES.platform)
  const chains = await fetch(`${url}/v1/networks/fuji/addresses:listChainIds?addresses=${known}`)
  const { addresses } = (await chains.json()) as { addresses: { address: string; blockchainIds: string[] }[] }
  const onP = addresses.find(({ blockchainIds }) => blockchainIds.join() === PRIMARY_SUBNET)
  found['data.primaryNetwork.getChainIdsForAddresses'] = { addresses: onP?.address }
  const { operationId } = await sdk.data.operations.exportTransactions(EXPORT)
  found['data.operations.getResult'] = { operationId }
  const { id } = await owner.webhooks.create(WEBHOOK)
  const addressesChangeRequest = { addresses: ['0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'] }
  found['webhooks'] = { id, addressesChangeRequest, updateWebhookRequest: { name: 'Name' } }
  const { vertices } = await first(dag.data.primaryNetwork.vertices.listLatest({ blockchainId: 'x-chain' }))
  const [vertex] = vertices
  const { vertexHeight, vertexHash } = vertex ?? {}
  found['data.primaryNetwork.vertices'] = { ...AVM, vertexHeight, vertexHash }
  return found
}
