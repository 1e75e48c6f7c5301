import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Avalanche } from '@avalanche-sdk/chainkit'
import { createAggregatorService } from '@firn/aggregator'
import { Hex } from '@firn/codec'
import { all, client } from '@firn/data-api/testing'
import { Metrics } from '@firn/deploy'
import { createDevnet, type Devnet, State } from '@firn/devnet'
import { Networks } from '@firn/genesis'
import { createIndexer } from '@firn/indexer'
import { openService } from '@firn/node'
import { until } from '@firn/runtime/testing'
import { Quorum, SignedMessage, ValidatorSet, Verification } from '@firn/warp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as Run from '../Run.ts'

// The files of a package share modules, and mocks apply to modules that are loaded after them.
vi.hoisted(() => vi.resetModules())
afterAll(() => void vi.resetModules())
vi.mock('@firn/indexer', async (original) => {
  const indexer = await original<typeof import('@firn/indexer')>()
  return { ...indexer, createIndexer: vi.fn(indexer.createIndexer) }
})
vi.mock('@firn/aggregator', async (original) => {
  const aggregator = await original<typeof import('@firn/aggregator')>()
  return { ...aggregator, createAggregatorService: vi.fn(aggregator.createAggregatorService) }
})
vi.mock('@firn/node', async (original) => {
  const node = await original<typeof import('@firn/node')>()
  return { ...node, openService: vi.fn(node.openService) }
})

const folder = mkdtempSync(join(tmpdir(), 'firn-up-'))
const archive = join(folder, 'archive')
const stop = new AbortController()
const lines: string[] = []
const notes: string[] = []
let code: Promise<number>
/** The base URL that clients use for all services. */
let url: string
let nodeUrl: string
let sdk: Avalanche
/** The options that the services received. */
let given: { readonly indexer: unknown; readonly node: unknown; readonly aggregator: unknown }
/** Devnet whose validators sign, because the keys of the archive's validators are not available. */
let devnet: Devnet

const found = (name: RegExp) => lines.find((line) => name.test(line))?.match(/http:\/\/\S+/)?.[0] ?? ''

beforeAll(async () => {
  devnet = await createDevnet({ validators: 5 })
  const file = new URL('../../../../services/indexer/vectors/local.json.gz', import.meta.url)
  const { files } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { files: Record<string, string> }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(archive, path)), { recursive: true })
    writeFileSync(join(archive, path), text)
  }
  const terminal = {
    print: (line: string) => void lines.push(line),
    note: (line: string) => void notes.push(line),
    isInteractive: false,
    signal: stop.signal,
  }
  const ports = ['--data-port', '--http-port', '--aggregator-port', '--gateway-port'].flatMap((flag) => [
    flag,
    '0',
  ])
  const argv = [
    ...['up', '--from', archive, '--data-dir', join(folder, 'data'), ...ports],
    ...['--node-option', 'staking-port=0', '--node-option', 'http-allowed-hosts=up.test'],
    ...[
      '--aggregator-option',
      `p-chain-api=${devnet.rpcUrl}`,
      '--aggregator-option',
      `info-api=${devnet.rpcUrl}`,
    ],
    ...['--aggregator-option', 'collect-timeout-seconds=2'],
    ...['--batch-blocks', '16', '--poll-interval', '321', '--no-check-signatures'],
    ...['--anonymous-units-per-minute', '900000'],
  ]
  code = Run.run(argv, terminal)
  await until(() =>
    expect([lines.at(-1), notes]).toEqual([expect.stringMatching(/Ctrl-C/), expect.anything()]),
  )
  given = {
    indexer: vi.mocked(createIndexer).mock.lastCall?.[0],
    node: vi.mocked(openService).mock.lastCall?.[0],
    aggregator: vi.mocked(createAggregatorService).mock.lastCall?.[0],
  }
  url = found(/^Data API/i)
  nodeUrl = found(/^node /)
  sdk = client(url)
})

afterAll(async () => {
  stop.abort()
  await code
  await devnet?.close()
  rmSync(folder, { recursive: true, force: true })
})

const network = 'testnet'
const EWOQ = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'

describe('official client on the single address of firn up', () => {
  test.each(['p-chain', 'x-chain', 'c-chain'] as const)(
    'reads the %s through the single URL of firn up',
    async (blockchainId) => {
      const { primaryNetwork } = sdk.data
      const asked = { network, blockchainId } as const
      const pages = await all(primaryNetwork.transactions.listLatest({ ...asked, pageSize: 50 }))
      const hashes = pages.flatMap(({ transactions }) => transactions.map(({ txHash }) => txHash))
      expect(hashes.length).toBe({ 'p-chain': 84, 'x-chain': 36, 'c-chain': 8 }[blockchainId])
      const [txHash = ''] = hashes
      expect(await primaryNetwork.transactions.get({ ...asked, txHash })).toMatchObject({ txHash })
      const blocks = await primaryNetwork.blocks.listLatest({ ...asked, pageSize: 5 })
      expect(blocks.result.blocks).toHaveLength(5)
      const blockId = blocks.result.blocks[0]?.blockNumber ?? ''
      expect(await primaryNetwork.blocks.get({ ...asked, blockId })).toMatchObject({ blockNumber: blockId })
      const utxos = await primaryNetwork.utxos.listByAddresses({ ...asked, addresses: EWOQ })
      expect(utxos.result.chainInfo).toMatchObject({ chainName: blockchainId, network })
      const balances = await primaryNetwork.balances.listByAddresses({ ...asked, addresses: EWOQ })
      expect(balances.chainInfo).toMatchObject({ chainName: blockchainId, network })
    },
  )

  test('lists subnets, chains and validators through the single URL of firn up', async () => {
    const { primaryNetwork } = sdk.data
    const subnets = await all(primaryNetwork.listSubnets({ network, pageSize: 2 }))
    expect(subnets.flatMap((page) => page.subnets)).toHaveLength(6)
    const chains = await all(primaryNetwork.listBlockchains({ network, pageSize: 3 }))
    expect(chains.flatMap((page) => page.blockchains)).toHaveLength(7)
    const l1 = await all(primaryNetwork.listL1Validators({ network, pageSize: 5 }))
    expect(l1.flatMap((page) => page.validators)).toHaveLength(13)
    const validators = await all(primaryNetwork.listValidators({ network, pageSize: 10 }))
    expect(validators.flatMap((page) => page.validators).length).toBeGreaterThan(4)
    await all(primaryNetwork.listDelegators({ network, pageSize: 10 }))
    await all(primaryNetwork.rewards.listHistoricalRewards({ network, addresses: EWOQ, pageSize: 10 }))
    await all(primaryNetwork.rewards.listPendingRewards({ network, addresses: EWOQ, pageSize: 10 }))
    const details = await primaryNetwork.getNetworkDetails({ network })
    expect(details.validatorDetails.validatorCount).toBeGreaterThan(4)
    expect(await sdk.data.healthCheck()).toMatchObject({ status: 'ok' })
    const staking = await sdk.metrics.networks.getStakingMetrics({ network, metric: 'validatorCount' })
    expect(staking.result.results.length).toBeGreaterThan(0)
  })

  test('collects signatures for a message with the built-in aggregator', async () => {
    const message = devnet.acceptMessage({ chain: 'C', payload: Uint8Array.of(1, 2, 3) })
    const { signedMessage } = await sdk.data.signatureAggregator.aggregate({
      network,
      signatureAggregatorRequest: { message: Hex.encode(message), quorumPercentage: 80 },
    })
    const validatorSet = ValidatorSet.create(State.nodesOf(devnet.state, Networks.PRIMARY_NETWORK_ID))
    const signed = SignedMessage.decode(Hex.decodeBare(signedMessage))
    const quorum = Quorum.percent(80)
    expect(Verification.verify(signed, { networkId: 12345, validatorSet, quorum })).toMatchObject({
      ok: true,
    })
  })

  test('forwards the aggregator’s error responses with their status codes', async () => {
    const { signatureAggregator } = sdk.data
    const wrong = signatureAggregator.aggregate({ network, signatureAggregatorRequest: { message: '0x00' } })
    await expect(wrong).rejects.toMatchObject({ statusCode: 400 })
    const message = devnet.acceptMessage({ chain: 'C', payload: Uint8Array.of(4), nodes: [0] })
    const missed = signatureAggregator.aggregate({
      network,
      signatureAggregatorRequest: { message: Hex.encode(message) },
    })
    await expect(missed).rejects.toMatchObject({ statusCode: 502 })
    const nothing = signatureAggregator.get({ network, txHash: '11111111111111111111111111111111LpoYY' })
    await expect(nothing).rejects.toMatchObject({ statusCode: 404 })
  })
})

test('serves the metrics and labels that dashboards and alerts use', async () => {
  const read = async (address: string) => (await fetch(address)).text()
  const node = await read(`${nodeUrl}/ext/metrics`)
  const texts = {
    indexer: node,
    node,
    'data-api': await read(`${url}/metrics`),
    aggregator: await read(`${found(/^aggregator/)}/metrics`),
  }
  const services = Object.entries(texts) as [Metrics.Service, string][]
  const missing = services.map(([service, text]) => [service, Metrics.findMissing(service, text)] as const)
  expect(Object.fromEntries(missing)).toEqual({
    indexer: {
      // An archive has no upstream.
      metrics: [
        'firn_indexer_upstream_request_seconds_bucket',
        'firn_indexer_upstream_request_seconds_count',
      ],
      labels: [],
      withoutSamples: [
        'firn_indexer_refused_blocks_total',
        'firn_indexer_upstream_request_seconds_bucket',
        'firn_indexer_upstream_request_seconds_count',
      ],
    },
    node: { metrics: [], labels: [], withoutSamples: [] },
    'data-api': { metrics: [], labels: [], withoutSamples: [] },
    aggregator: {
      // With --database-url, and with several upstreams that must agree.
      metrics: ['signature_aggregator_database_up', 'signature_aggregator_upstream_disagreements_total'],
      labels: [],
      withoutSamples: [
        'signature_aggregator_upstream_disagreements_total',
        'signature_aggregator_wrong_signatures_total',
      ],
    },
  })
  // The message of an earlier test that one validator has signed.
  expect(texts.aggregator).toMatch(/latency_seconds_count\{outcome="AGGREGATION_QUORUM_NOT_REACHED"\} [1-9]/)
})

test('forwards options of firn up to the services', async () => {
  expect(given.indexer).toMatchObject({
    batchBlocks: 16,
    pollMs: 321,
    checkSignatures: false,
  })
  expect(given.node).toMatchObject({ configuration: { httpAllowedHosts: ['up.test'] } })
  expect(given.aggregator).toMatchObject({
    collectTimeout: 2_000,
    successStatus: 'auto',
  })
  const limited = await fetch(`${url}/v1/networks/${network}/subnets`)
  expect(limited.headers.get('ratelimit-limit')).toBe('900000')
  const { hostname, port } = new URL(nodeUrl)
  expect([hostname, Number(port) > 0]).toEqual(['127.0.0.1', true])
})
