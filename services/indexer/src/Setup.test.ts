import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CheckedHex, Id } from '@firn/codec'
import { GenesisConfig, Networks, PlatformGenesis } from '@firn/genesis'
import { systemClock } from '@firn/runtime'
import { Writer } from '@firn/store'
import { openStore } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as GenesisFiles from './GenesisFiles.ts'
import { createSource, loadNetwork, type NetworkOptions, openNetwork, readNetworkId } from './Setup.ts'
import { temporaryFolder, unpack } from './testing/archives.ts'

const { folder, remove } = temporaryFolder()
const [local, helicon] = [join(folder, 'local'), join(folder, 'helicon')]
beforeAll(() => {
  unpack('local', local)
  unpack('helicon', helicon)
})
afterAll(remove)

const signal = new AbortController().signal
const options = (own: Partial<NetworkOptions>): NetworkOptions => ({
  clock: { ...systemClock, sleep: async () => undefined },
  random: () => 0.5,
  ...own,
})
const codeOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error) => error.code,
  )

/**
 * Creates a fake node whose P-chain starts with the given block 0. If `block` is undefined, the node answers
 * every request with status 503.
 */
const nodeOf = (block: Uint8Array | undefined, networkId = 1337) => ({
  url: 'http://node.test',
  fetch: (async (_url: string, { body }: { body: string }) => {
    if (block === undefined) return new Response('', { status: 503 })
    const { id, method } = JSON.parse(body)
    const result =
      method === 'info.getNetworkID'
        ? { networkID: `${networkId}` }
        : { block: CheckedHex.encode(block), encoding: 'hex' }
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }) as unknown as typeof fetch,
})

describe('genesis', () => {
  it('loads the genesis and the upgrade schedule from an archive', async () => {
    const { genesis, constants } = await loadNetwork(options({ from: helicon }), signal)
    expect(genesis.networkId).toBe(1337)
    expect(constants.upgrades.helicon).toBe(1_795_222_912n)
    expect(constants.upgrades.granite).toBe(Networks.LOCAL.upgrades.granite)
  })

  it("finds the local network's genesis for the period in which the nodes started", async () => {
    const config = GenesisConfig.parse(readFileSync(join(local, 'genesis/local.json'), 'utf8'))
    const file = join(folder, 'earlier.json')
    const text = readFileSync(join(local, 'genesis/local.json'), 'utf8')
    const earlier = config.startTime - 2n * Networks.LOCAL_PERIOD
    writeFileSync(file, text.replace(`${config.startTime}`, `${earlier}`))
    const known = await GenesisFiles.load({ archive: local, now: 0n })
    const upstreams = [nodeOf(known.genesis.firstBlock.bytes)]
    const found = await loadNetwork(options({ genesisFile: file, upstreams }), signal)
    expect(Id.format(found.genesis.genesisId)).toBe(Id.format(known.genesis.genesisId))
  })

  it('rejects a genesis that does not exist or does not match the nodes or the requested network', async () => {
    const { genesis } = await GenesisFiles.load({ archive: helicon, now: 0n })
    const upstreams = [nodeOf(genesis.firstBlock.bytes)]
    const genesisFile = join(local, 'genesis/local.json')
    expect(await codeOf(loadNetwork(options({ genesisFile, upstreams }), signal))).toBe('INDEXER_GENESIS')
    expect(await codeOf(loadNetwork(options({ from: local, networkId: 1 }), signal))).toBe('INDEXER_GENESIS')
    expect(await codeOf(loadNetwork(options({}), signal))).toBe('INDEXER_GENESIS')
    expect(await codeOf(loadNetwork(options({ genesisFile: join(folder, 'none') }), signal))).toBe(
      'INDEXER_GENESIS',
    )
    expect(await codeOf(loadNetwork(options({ genesisFile, upstreams: [nodeOf(undefined)] }), signal))).toBe(
      'INDEXER_GENESIS',
    )
  })

  it.each([
    ['mainnet', Networks.MAINNET],
    ['fuji', Networks.FUJI],
  ])(
    'loads the genesis of %s without a genesis file',
    { timeout: 60_000 },
    async (_name, { networkId, ids }) => {
      const known = await GenesisFiles.load({ networkId, now: 0n })
      expect(known.genesis.genesisId).toEqual(ids?.genesisId)
      const upstreams = [nodeOf(known.genesis.firstBlock.bytes, networkId)]
      expect(await loadNetwork(options({ networkId, upstreams }), signal)).toEqual(known)
      const fork = PlatformGenesis.firstBlock(new Uint8Array(32))
      const forks = [nodeOf(fork, networkId)]
      expect(await codeOf(loadNetwork(options({ networkId, upstreams: forks }), signal))).toBe(
        'INDEXER_GENESIS',
      )
    },
  )

  it("finds the local network's genesis by the nodes' first block, without a genesis file", async () => {
    const recorded = await GenesisFiles.load({ archive: local, now: 0n })
    const upstreams = [nodeOf(recorded.genesis.firstBlock.bytes, 12345)]
    const { rules, store } = await openNetwork(options({ upstreams }), async () => openStore(), signal)
    await store.close()
    expect(rules).toEqual(recorded)
    const published = await GenesisFiles.load({ networkId: 12345, now: 0n })
    expect(published.genesis.genesisId).not.toEqual(recorded.genesis.genesisId)
  })

  it('requires a genesis file for a custom network', async () => {
    const upstreams = [nodeOf(undefined)]
    await expect(loadNetwork(options({ networkId: 1337, upstreams }), signal)).rejects.toThrow(
      'No genesis for network 1337. Pass --genesis-file, or use --network local.',
    )
    await expect(loadNetwork(options({}), signal)).rejects.toThrow('No network given.')
  })

  it('loads the same genesis from a URL, from base64 content and from an archive', async () => {
    const text = readFileSync(join(helicon, 'genesis/genesis.json'), 'utf8')
    const fetch = (async () => new Response(text)) as unknown as typeof globalThis.fetch
    const upgradeFileContent = readFileSync(join(helicon, 'genesis/upgrade.json')).toString('base64')
    const byURL = await loadNetwork(
      options({ genesisFile: 'https://genesis.test/', upgradeFileContent, fetch }),
      signal,
    )
    const genesisFileContent = Buffer.from(text).toString('base64')
    const byContent = await loadNetwork(options({ genesisFileContent, upgradeFileContent }), signal)
    expect(byURL).toEqual(byContent)
    expect(byURL).toEqual(await loadNetwork(options({ from: helicon }), signal))
  })

  it('takes upgrade times from the upgrade file, then for public networks from this software, then from the database', () => {
    const { upgrades: mainnet } = Networks.MAINNET
    const stored = (networkId: number) => {
      const constants = Networks.of(networkId)
      const upgrades = { ...constants.upgrades, helicon: 1_900_000_000n }
      return { genesis: { networkId } as never, constants: { ...constants, upgrades } }
    }
    const file = '{"heliconTime":"2027-01-15T08:00:00Z"}'
    const of = (networkId: number, upgradeFile?: string) =>
      GenesisFiles.withUpgrades(stored(networkId), upgradeFile).constants.upgrades
    expect(of(1)).toEqual(mainnet)
    expect(of(1, file)).toEqual({ ...mainnet, helicon: 1_800_000_000n })
    expect(of(1337).helicon).toBe(1_900_000_000n)
    expect(of(12345).helicon).toBe(1_900_000_000n)
    expect(of(1337, file)).toEqual({ ...Networks.of(1337).upgrades, helicon: 1_800_000_000n })
  })

  it('applies an upgrade file also to a network that the database already holds', {
    timeout: 60_000,
  }, async () => {
    const rules = await GenesisFiles.load({ networkId: 12345, now: 0n })
    const store = { network: async () => ({ ...rules, followsCChain: true }) }
    const upgradeFileContent = Buffer.from('{"heliconTime":"2027-01-15T08:00:00Z"}').toString('base64')
    const { constants } = await loadNetwork(options({ store, upgradeFileContent }), signal)
    expect(constants.upgrades.helicon).toBe(1_800_000_000n)
  })

  it('uses the genesis in the database if the nodes have the same network', {
    timeout: 60_000,
  }, async () => {
    const rules = await GenesisFiles.load({ archive: helicon, now: 0n })
    const store = await openStore()
    await Writer.open(store, rules.genesis, rules.constants)
    const names: number[] = []
    const open = (own: Partial<NetworkOptions>) =>
      openNetwork(
        options(own),
        async (networkId) => {
          names.push(networkId)
          return Object.assign(Object.create(store), {
            close: async () => undefined,
            migrate: async () => undefined,
          })
        },
        signal,
      )
    const same = nodeOf(rules.genesis.firstBlock.bytes)
    expect((await open({ upstreams: [same] })).rules).toEqual(rules)
    expect((await open({ upstreams: [nodeOf(undefined)], networkId: 1337 })).rules).toEqual(rules)
    const other = await GenesisFiles.load({ archive: local, now: 0n })
    expect(await codeOf(open({ upstreams: [nodeOf(other.genesis.firstBlock.bytes)] }))).toBe(
      'INDEXER_GENESIS',
    )
    expect(names).toEqual([1337, 1337, 1337])
    await store.close()
  })
})

describe('readNetworkId', () => {
  it('returns the network id that the first responding node reports', async () => {
    const silent = {
      url: 'http://silent.test',
      fetch: (async () => new Response('', { status: 503 })) as never,
    }
    const upstreams = [silent, nodeOf(new Uint8Array(), 5)]
    expect(await readNetworkId({ upstreams }, signal)).toBe(5)
    await expect(readNetworkId({ upstreams: [silent] }, signal)).rejects.toThrow(
      /^Cannot read the network id from --upstream: .*Start the node, or pass --network\.$/,
    )
    await expect(readNetworkId({}, signal)).rejects.toThrow('No network given. Pass --network or --upstream.')
  })
})

it('requires exactly one source: an archive or nodes', () => {
  const clock = systemClock
  const code = expect.objectContaining({ code: 'INDEXER_CONFIGURATION' })
  expect(() => createSource({ clock })).toThrow(code)
  expect(() => createSource({ clock, from: local, upstreams: [{ url: 'http://node.test' }] })).toThrow(code)
  expect(createSource({ clock, from: local }).isFixed).toBe(true)
  expect(createSource({ clock, upstreams: [{ url: 'http://node.test' }] }).isFixed).toBe(false)
})
