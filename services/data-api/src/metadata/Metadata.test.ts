import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Avalanche } from '@avalanche-sdk/chainkit'
import { recordedEvmStore } from '@firn/evm-store/testing'
import type { PublicFetch } from '@firn/outbound'
import { silentLogger, systemClock } from '@firn/runtime'
import { until } from '@firn/runtime/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evmEndpoints } from '../evm/Endpoints.ts'
import { all, client } from '../testing/client.ts'
import { plainEvm } from '../testing/plainEvm.ts'
import { createEvm, evmContextOf } from '../testing/serveEvm.ts'
import * as Metadata from './Metadata.ts'
import * as MetadataFile from './MetadataFile.ts'
import { MetadataSchema } from './MetadataSchema.ts'

const OWNER = '0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC'
const plain = plainEvm('c', true)
const contractOf = (standard: 20 | 721) =>
  plain.transfers.find((one) => one.standard === standard)?.contract ?? ''

const folder = mkdtempSync(join(tmpdir(), 'firn-metadata-'))
const path = join(folder, 'metadata.json')
const never: PublicFetch.PublicFetch = async () => ({ failure: 'timeout' })

test('describes the metadata file in a JSON schema of the package', async () => {
  const text = `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...MetadataSchema }, null, 2)}\n`
  // Run `npm test -- metadata/Metadata.test -u` after a change.
  await expect(text).toMatchFileSnapshot('../../metadata.schema.json')
})

describe('a service with metadata', () => {
  let sdk: Avalanche
  let chainId: string
  let metadata: Metadata.Metadata
  let close: () => Promise<unknown>

  const fileOf = (name: string, more: object = {}) => ({
    chains: {
      [chainId]: {
        name,
        description: 'The first chain',
        vmId: 'mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6',
        rpcUrl: 'https://rpc.example.org',
        wsUrl: 'wss://rpc.example.org',
        explorerUrl: 'https://explorer.example.org',
        logoUri: 'ipfs://bafy/logo.svg',
        isPrivate: false,
        multicall: '0xcA11bde05977b3631167028862bE2a173976CA11',
        token: {
          name: 'Avalanche',
          symbol: 'AVAX',
          decimals: 18,
          logoUri: 'https://a/avax.svg',
          priceId: 'avalanche-2',
        },
        addresses: {
          [contractOf(20).toUpperCase().replace('0X', '0x')]: {
            name: '<script>alert(1)</script>',
            description: 'A token\nof two lines',
            officialSite: 'https://token.example.org',
            email: 'info@example.org',
            logoUri: 'https://a/token.svg',
            bannerUri: 'https://a/banner.png',
            color: '#e84142',
            resourceLinks: [{ type: 'Github', url: 'https://github.com/example' }],
            tags: ['stablecoin'],
            coingeckoCoinId: 'usd-coin',
            reputation: 'Benign',
          },
          [OWNER]: { name: 'Treasury', logoUri: 'https://a/treasury.svg' },
        },
      },
    },
    prices: { values: { 'avalanche-2': { usd: 20.5, eur: 18 }, 'usd-coin': { usd: 1, eur: 0.5 } } },
    ...more,
  })
  const write = (file: object) => writeFileSync(path, JSON.stringify(file))

  beforeAll(async () => {
    const store = await recordedEvmStore('c')
    chainId = String(store.chainId)
    const time = Number(plain.transactions[0]?.block.timestamp)
    const history = {
      'avalanche-2': [
        { timestamp: time - 3_600, usd: 7 },
        { timestamp: time - 7_200, usd: 6 },
      ],
    }
    const { prices } = fileOf('First')
    write(fileOf('First', { prices: { ...prices, history } }))
    metadata = await Metadata.open({ path, fetch: never, clock: systemClock, log: silentLogger })
    const context = await evmContextOf([store], {
      nativeBalance: async () => 3n * 10n ** 18n,
      now: () => (time + 90_000) * 1_000,
    })
    const chains = context.chains.map((source) => ({ ...source, metadata }))
    const server = await createEvm(evmEndpoints({ ...context, chains }))
    sdk = client(await server.listen({ host: '127.0.0.1', port: 0 }))
    close = () => server.close()
  })

  afterAll(async () => {
    metadata?.close()
    await close?.()
    rmSync(folder, { recursive: true, force: true })
  })

  test('fills the members of chains, contracts and addresses that the SDK knows', async () => {
    expect(await sdk.data.evm.chains.get({ chainId })).toMatchObject({
      chainName: 'First',
      description: 'The first chain',
      vmId: 'mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6',
      rpcUrl: 'https://rpc.example.org',
      chainLogoUri: 'ipfs://bafy/logo.svg',
      private: false,
      utilityAddresses: { multicall: '0xcA11bde05977b3631167028862bE2a173976CA11' },
      networkToken: { symbol: 'AVAX', logoUri: 'https://a/avax.svg' },
    })
    const contract = await sdk.data.evm.contracts.getMetadata({ chainId, address: contractOf(20) })
    expect(contract).toMatchObject({
      name: '<script>alert(1)</script>',
      description: 'A token\nof two lines',
      officialSite: 'https://token.example.org',
      email: 'info@example.org',
      logoAsset: { imageUri: 'https://a/token.svg' },
      bannerAsset: { imageUri: 'https://a/banner.png' },
      color: '#e84142',
      resourceLinks: [{ type: 'Github', url: 'https://github.com/example' }],
      tags: ['stablecoin'],
      pricingProviders: { coingeckoCoinId: 'usd-coin' },
    })
    const other = await sdk.data.evm.contracts.getMetadata({ chainId, address: contractOf(721) })
    expect(Object.keys(other)).not.toContain('description')
    const [page] = await all(
      sdk.data.evm.address.transactions.listErc20({ chainId, address: OWNER, pageSize: 1 }),
    )
    const [transfer] = page?.transactions ?? []
    expect([transfer?.from, transfer?.to]).toContainEqual(
      expect.objectContaining({ name: 'Treasury', logoUri: 'https://a/treasury.svg' }),
    )
    expect(transfer?.erc20Token).toMatchObject({ price: { currencyCode: 'usd', value: 1 } })
  })

  test('returns prices and values of balances in the requested currency', async () => {
    const { balances } = sdk.data.evm.address
    const native = await balances.getNative({ chainId, address: OWNER })
    expect(native.nativeTokenBalance).toMatchObject({
      price: { currencyCode: 'usd', value: 20.5 },
      balanceValue: { currencyCode: 'usd', value: 61.5 },
    })
    const [page] = await all(
      balances.listErc20({ chainId, address: OWNER, currency: 'eur', contractAddresses: contractOf(20) }),
    )
    const [held] = page?.erc20TokenBalances ?? []
    expect(page?.nativeTokenBalance.balanceValue).toEqual({ currencyCode: 'eur', value: 54 })
    expect(held).toMatchObject({ price: { currencyCode: 'eur', value: 0.5 }, tokenReputation: 'Benign' })
    const tokens = Number(held?.balance) / 10 ** (held?.decimals ?? 0)
    expect(held?.balanceValue?.value).toBeCloseTo(tokens * 0.5)
  })

  test('returns the price at the time of an old transaction', async () => {
    const txHash = plain.transactions[0]?.transaction.hash ?? ''
    const { networkTokenDetails } = await sdk.data.evm.transactions.get({ chainId, txHash })
    expect(networkTokenDetails).toMatchObject({
      currentPrice: { currencyCode: 'usd', value: 20.5 },
      historicalPrice: { currencyCode: 'usd', value: 7 },
    })
  })

  test('reads the file again when it changes, and keeps the last valid contents', async () => {
    const name = async () => (await sdk.data.evm.chains.get({ chainId })).chainName
    const { revision } = metadata
    write(fileOf('Second'))
    await until(async () => expect(await name()).toBe('Second'))
    expect(metadata.revision).not.toBe(revision)
    write({ chains: { [chainId]: { name: 5 } } })
    await until(() => expect(metadata.problems).toHaveLength(1))
    expect(metadata.problems[0]).toContain(
      `chains.${chainId}.name: expected at most 128 characters of plain text without control characters, got 5`,
    )
    expect(await name()).toBe('Second')
    rmSync(path)
    await until(() => expect(metadata.problems[0]).toContain('ENOENT'))
    write(fileOf('Third'))
    await until(async () => expect(await name()).toBe('Third'))
    expect(metadata.problems).toEqual([])
  })
})

test.each([
  ['{', 'JSON'],
  ['[]', 'the file: must be object'],
  ['{"chain":{}}', 'the file: expected no member chain'],
  ['{"chains":{"x":{}}}', 'chains: expected no member x'],
  [
    '{"chains":{"1":{"token":{"name":"A","symbol":"A","decimals":999}}}}',
    'chains.1.token.decimals: must be <= 255, got 999',
  ],
  ['{"chains":{"1":{"network":"main"}}}', 'chains.1.network: expected one of'],
  [
    '{"chains":{"1":{"subnetId":"2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByN"}}}',
    'chains.1.subnetId: ',
  ],
  ['{"chains":{"1":{"addresses":{"0x12":{}}}}}', 'chains.1.addresses: expected no member 0x12'],
  [JSON.stringify({ chains: { 1: { logoUri: 'javascript:alert(1)' } } }), 'chains.1.logoUri: expected a URL'],
  [
    JSON.stringify({ chains: { 1: { name: 'a\u202eb' } } }),
    'chains.1.name: expected at most 128 characters of plain text',
  ],
  [
    JSON.stringify({ chains: { 1: { name: 'a\u0000b' } } }),
    'chains.1.name: expected at most 128 characters of plain text',
  ],
  [
    JSON.stringify({ chains: { 1: { description: 'a'.repeat(5_000) } } }),
    'chains.1.description: expected at most 4096',
  ],
  [JSON.stringify({ subnets: { __proto__: {}, x: {} } }), 'subnets: expected no member x'],
  ['{"subnets":{"__proto__":{}}}', 'subnets: expected no member __proto__'],
  [JSON.stringify({ prices: { values: { a: { usd: -1 } } } }), 'prices.values.a.usd: must be >= 0, got -1'],
  [
    JSON.stringify({ prices: { url: 'http://169.254.169.254/' } }),
    'prices.url: expected a URL with the scheme https',
  ],
])('rejects %.60s', (text, message) => {
  expect(() => MetadataFile.parse(text)).toThrow(message)
})
