import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CheckedHex, Hex, Id, Json } from '@firn/codec'
import { GenesisConfig, Networks, PlatformGenesis, Upgrades } from '@firn/genesis'
import { systemClock } from '@firn/runtime'
import { Writer } from '@firn/store'
import { openStore } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder, unpack } from '../../testing/archives.ts'
import * as GenesisFiles from '../archive/GenesisFiles.ts'
import { createSource, loadNetwork, type NetworkOptions, openNetwork, readNetworkId } from './Setup.ts'
import * as StakingRules from './StakingRules.ts'

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
 * every request with status 503. Without `upgrades`, it has no method `info.upgrades`, as old nodes.
 */
const nodeOf = (block: Uint8Array | undefined, networkId = 1337, upgrades?: Json.Json) => ({
  url: 'http://node.test',
  fetch: (async (_url: string, { body }: { body: string }) => {
    if (block === undefined) return new Response('', { status: 503 })
    const { id, method } = JSON.parse(body)
    if (method === 'info.upgrades' && upgrades === undefined)
      return new Response(`{"jsonrpc":"2.0","id":"${id}","error":{"code":-32601,"message":"no method"}}`)
    const result = {
      'info.getNetworkID': { networkID: `${networkId}` },
      'info.upgrades': upgrades,
      'platform.getBlockByHeight': { block: CheckedHex.encode(block), encoding: 'hex' },
    }[String(method)]
    return new Response(Json.stringify({ jsonrpc: '2.0', id, result: result as Json.Json }))
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
  ])('loads the genesis of %s without a genesis file', async (_name, { networkId, ids }) => {
    const known = await GenesisFiles.load({ networkId, now: 0n })
    expect(known.genesis.genesisId).toEqual(ids?.genesisId)
    const upstreams = [nodeOf(known.genesis.firstBlock.bytes, networkId)]
    expect(await loadNetwork(options({ networkId, upstreams }), signal)).toEqual(known)
    const fork = PlatformGenesis.firstBlock(new Uint8Array(32))
    const forks = [nodeOf(fork, networkId)]
    expect(await codeOf(loadNetwork(options({ networkId, upstreams: forks }), signal))).toBe(
      'INDEXER_GENESIS',
    )
  })

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

  it('applies an upgrade file also to a network that the database already holds', async () => {
    const rules = await GenesisFiles.load({ networkId: 12345, now: 0n })
    const store = { network: async () => ({ ...rules, followsCChain: true }) }
    const upgradeFileContent = Buffer.from('{"heliconTime":"2027-01-15T08:00:00Z"}').toString('base64')
    const { constants } = await loadNetwork(options({ store, upgradeFileContent }), signal)
    expect(constants.upgrades.helicon).toBe(1_800_000_000n)
  })

  it('uses the genesis in the database if the nodes have the same network', async () => {
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

it('applies the staking rules in the options to custom networks only', async () => {
  const staking = { minValidatorStake: 5n, minStakeDuration: 20_000, heliconMinStakeDuration: 60_000 }
  const { constants } = await loadNetwork(options({ from: helicon, staking }), signal)
  const rules = { minValidatorStake: 5n, minStakeDuration: 20n, heliconMinStakeDuration: 60n }
  expect(constants.staking).toEqual({ ...Networks.LOCAL.staking, ...rules })
  for (const public_ of [Networks.MAINNET, Networks.FUJI])
    expect(StakingRules.withStaking(public_, staking)).toEqual(public_)
})

describe('upgrade times', () => {
  const FILE = '{"heliconTime":"2027-01-15T08:00:00Z"}'
  const genesisFile = join(helicon, 'genesis/genesis.json')
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const upgradesOf = async (answer: Json.Json | undefined, own: Partial<NetworkOptions> = {}) => {
    const { genesis } = await GenesisFiles.load({ archive: helicon, now: 0n })
    const upstreams = [nodeOf(genesis.firstBlock.bytes, 1337, answer)]
    return (await loadNetwork(options({ genesisFile, upstreams, ...own }), signal)).constants.upgrades
  }
  const recorded = Json.parse(
    '{"apricotPhase1Time":"2020-12-05T05:00:00Z","fortunaTime":"2020-12-05T05:00:00Z","graniteTime":"2020-12-05T05:00:00Z","graniteEpochDuration":20000000000,"heliconTime":"2026-11-28T01:23:57Z"}',
  ) as Readonly<Record<string, Json.Json>>
  const { DEFAULT, UNSCHEDULED } = Upgrades

  it('takes the upgrade times of the followed node on a custom network', async () => {
    const expected = { ...DEFAULT, graniteEpochDuration: 20_000_000_000n, helicon: 1_795_829_037n }
    expect(await upgradesOf(recorded)).toEqual(expected)
    const upgradeFileContent = base64('{"graniteEpochDuration":20000000000}')
    expect(await upgradesOf(recorded, { upgradeFileContent })).toEqual(expected)
  })

  it('leave out upgrades that the node does not name because it is older', async () => {
    const { heliconTime: _helicon, ...before } = recorded
    expect(await upgradesOf(before)).toMatchObject({ granite: DEFAULT.granite, helicon: UNSCHEDULED })
    const { graniteTime: _granite, graniteEpochDuration: _duration, ...older } = before
    const { granite, helicon, graniteEpochDuration } = await upgradesOf(older)
    expect([granite, helicon]).toEqual([UNSCHEDULED, UNSCHEDULED])
    expect(graniteEpochDuration).toBe(DEFAULT.graniteEpochDuration)
  })

  it('takes the times of a resumed archive where neither the node nor the upgrade file names them', async () => {
    const to = mkdtempSync(join(tmpdir(), 'firn-resumed-'))
    mkdirSync(join(to, 'genesis'))
    expect(await GenesisFiles.ofArchive(to, 0n)).toBeUndefined()
    const { genesis } = await GenesisFiles.load({ archive: helicon, now: 0n })
    writeFileSync(join(to, 'genesis/ids.json'), `{"genesisBytes":"${Hex.encode(genesis.bytes)}"}`)
    expect(await GenesisFiles.ofArchive(to, 0n)).toBeUndefined()
    const written = { ...DEFAULT, helicon: 1_900_000_000n, graniteEpochDuration: 5_000_000_000n }
    writeFileSync(join(to, 'genesis/upgrade.json'), Json.stringify(Upgrades.toJSON(written)))
    const resumed = await GenesisFiles.ofArchive(to, 0n)
    expect(await upgradesOf(undefined, { resumed })).toEqual(written)
    const { heliconTime: _helicon, ...before } = recorded
    expect(await upgradesOf(before, { resumed })).toMatchObject({
      helicon: 1_900_000_000n,
      graniteEpochDuration: 20_000_000_000n,
    })
    const upgradeFileContent = base64(FILE)
    expect((await upgradesOf(before, { resumed, upgradeFileContent })).helicon).toBe(1_800_000_000n)
    rmSync(to, { recursive: true })
  })

  it('are read from the upgrade file if the node does not name them', async () => {
    const { heliconTime: _helicon, ...before } = recorded
    const upgrades = await upgradesOf(before, { upgradeFileContent: base64(FILE) })
    expect(upgrades.helicon).toBe(1_800_000_000n)
    expect(upgrades.graniteEpochDuration).toBe(20_000_000_000n)
  })

  it.each([
    ['given by the option', { upgradeFileContent: base64(FILE) }, '--upgrade-file'],
    ['in the archive', { from: helicon, genesisFile: undefined }, join(helicon, 'genesis/upgrade.json')],
  ])("does not start if the node's times differ from a file %s", async (_name, own, file) => {
    const failed = expect(upgradesOf(recorded, own)).rejects
    await failed.toMatchObject({ code: 'INDEXER_UPGRADES' })
    await expect(upgradesOf(recorded, own)).rejects.toThrow(
      new RegExp(`heliconTime is "\\S+" in ${file} and "2026-11-28T01:23:57Z" in the node at --upstream`),
    )
  })

  it('takes its own times with a warning if the node has no method for them', async () => {
    const warnings: unknown[] = []
    const log = { warn: (_facts: object, text: string) => warnings.push(text) } as never
    const sleep = () => expect.unreachable('the node is asked again')
    const clock = { ...systemClock, sleep }
    expect(await upgradesOf(undefined, { log, clock })).toEqual(DEFAULT)
    expect(warnings).toEqual([expect.stringContaining('pass --upgrade-file')])
    expect(await upgradesOf(undefined, { upgradeFileContent: base64(FILE), log })).toMatchObject({
      helicon: 1_800_000_000n,
    })
    expect(warnings).toHaveLength(1)
  })

  it.each<[string, number, object, boolean]>([
    ['has no method', 200, { code: -32601, message: 'no method' }, false],
    ['has no path', 404, {}, false],
    ['limits requests with an HTTP status', 429, {}, true],
    ['limits requests with a JSON-RPC error', 200, { code: -32005, message: 'limit exceeded' }, true],
  ])('takes the times of the next node if the first one %s', async (_name, status, error, isAskedAgain) => {
    const { genesis } = await GenesisFiles.load({ archive: helicon, now: 0n })
    const node = nodeOf(genesis.firstBlock.bytes, 1337, recorded)
    let calls = 0
    const refusing = async (url: string, request: { readonly body: string }) => {
      const { id, method } = JSON.parse(request.body)
      if (method !== 'info.upgrades') return node.fetch(url, request)
      calls += 1
      return new Response(JSON.stringify({ jsonrpc: '2.0', id, error }), { status })
    }
    const limited = { ...node, fetch: refusing as unknown as typeof fetch }
    expect((await upgradesOf(undefined, { upstreams: [limited, node] })).helicon).toBe(1_795_829_037n)
    // A rate limit does not show that the node lacks the method, so the only node is asked again.
    calls = 0
    const alone = await upgradesOf(undefined, { upstreams: [limited] }).catch(({ code }) => code)
    expect([calls > 1, alone]).toEqual(isAskedAgain ? [true, 'INDEXER_UPGRADES'] : [false, DEFAULT])
  })

  it.each([
    ['mainnet', Networks.MAINNET],
    ['fuji', Networks.FUJI],
  ])('takes its own times for %s, and accepts no others', async (name, { networkId, upgrades }) => {
    const stored = { genesis: { networkId } as never, constants: Networks.of(networkId) }
    const settle = (sources: Parameters<typeof GenesisFiles.withUpgrades>[1]) =>
      GenesisFiles.withUpgrades(stored, sources).constants.upgrades
    const { heliconTime: _helicon, ...older } = Upgrades.toJSON(upgrades) as Record<string, Json.Json>
    expect(settle({ nodeUpgrades: older, upgradeFile: Json.stringify(older) })).toEqual(upgrades)
    expect(() => settle({ upgradeFile: FILE })).toThrow(
      new RegExp(`heliconTime is "2027-01-15T08:00:00Z" in --upgrade-file and "2026-\\S+" in ${name}\\.`),
    )
    expect(() => settle({ nodeUpgrades: Json.parse(FILE) })).toThrow(/ in the node at --upstream and /)
    const ownVertices = Json.stringify({ cortinaXChainStopVertexID: Id.format(Id.EMPTY) })
    expect(settle({ upgradeFile: ownVertices })).toEqual({ ...upgrades, cortinaXChainStopVertexId: Id.EMPTY })
  })

  it('in the database are used where neither the file nor the node has them', () => {
    const upgrades = { ...DEFAULT, helicon: 1_900_000_000n, graniteEpochDuration: 5_000_000_000n }
    const stored = { genesis: { networkId: 1337 } as never, constants: { ...Networks.of(1337), upgrades } }
    const settle = (sources: Parameters<typeof GenesisFiles.withUpgrades>[1]) =>
      GenesisFiles.withUpgrades(stored, sources).constants.upgrades
    expect(settle({})).toEqual(upgrades)
    expect(settle({ upgradeFile: FILE })).toEqual({ ...upgrades, helicon: 1_800_000_000n })
    const { helicon, graniteEpochDuration } = settle({ nodeUpgrades: recorded })
    expect([helicon, graniteEpochDuration]).toEqual([1_795_829_037n, 20_000_000_000n])
    const { heliconTime: _helicon, graniteEpochDuration: _duration, ...older } = recorded
    expect(settle({ nodeUpgrades: older })).toEqual(upgrades)
  })

  it('in the database are used with a genesis file, too', async () => {
    const rules = await GenesisFiles.load({ archive: helicon, now: 0n })
    const upgrades = { ...rules.constants.upgrades, graniteEpochDuration: 5_000_000_000n }
    const store = await openStore()
    await Writer.open(store, rules.genesis, { ...rules.constants, upgrades })
    const open = async () => store
    const { heliconTime: _helicon, graniteEpochDuration: _duration, ...older } = recorded
    const upstreams = [nodeOf(rules.genesis.firstBlock.bytes, 1337, older)]
    const opened = await openNetwork(options({ genesisFile, upstreams }), open, signal)
    expect(opened.rules.constants.upgrades).toEqual(upgrades)
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
