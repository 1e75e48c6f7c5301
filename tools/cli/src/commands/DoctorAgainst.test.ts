import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { CheckedHex } from '@firn/codec'
import { Against, createReference, seeded } from '@firn/indexer'
import { createConfiguration, openService, type Service } from '@firn/node'
import { systemClock } from '@firn/runtime'
import { database, TestPostgres } from '@firn/sql/testing'
import { Store, Writer } from '@firn/store'
import { openPGlite, Recordings, recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Run from '../Run.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-against-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts a node API on a recorded network. It returns the recorded node's responses. */
const startNode = (store: Store): Promise<Service> =>
  openService({
    configuration: createConfiguration({
      dataDir: mkdtempSync(join(folder, 'node-')),
      httpPort: 0,
      indexEnabled: true,
      logDisplayLevel: 'OFF',
    }),
    store,
    display: { write: () => undefined },
  })

type Sample = { readonly addresses: number; readonly heights: number }

/** A sample with every height and every address of the recorded network. */
const ALL: Sample = { addresses: 60, heights: 30 }

/** A sample in which every changed answer of the node, and every change of the database, is found. */
const FEW: Sample = { addresses: 6, heights: 3 }

/** Compares a sample of the recorded network with the node. */
const compare = (store: Store, url: string, ask: typeof fetch = fetch, sample = ALL) =>
  Against.compare(
    {
      store,
      reference: createReference({ url, clock: systemClock, random: Math.random, fetch: ask }),
      clock: systemClock,
      random: seeded(1),
      ...sample,
      attempts: 2,
    },
    new AbortController().signal,
  )

type Json = { [member: string]: Json } & Json[] & string
type Lie = (result: Json, params: Json) => unknown

/** Returns a `fetch` that forwards requests to the node and changes the results of one method. */
const lying = (method: string, lie: Lie): typeof fetch =>
  (async (url: string, init: RequestInit) => {
    const request = JSON.parse(String(init.body)) as { method: string; params: Json }
    // Without the Index API, blocks are requested one by one and can be changed individually.
    if (method.endsWith('getBlockByHeight') && url.includes('/ext/index/'))
      return new Response('', { status: 404 })
    const response = await fetch(url, init)
    if (request.method !== method) return response
    const answer = JSON.parse(await response.text()) as { result?: Json }
    if (answer.result !== undefined) lie(answer.result, request.params)
    return Response.json(answer)
  }) as unknown as typeof fetch

const PRIMARY_NETWORK = '11111111111111111111111111111111LpoYY'
const plusOne = (text: string | undefined) => String(BigInt(text ?? '0') + 1n) as Json
/** Changes a byte of hex that the node serves with a checksum. */
const changed = (text: Json | undefined, at: number): Json => {
  const bytes = CheckedHex.decode(text ?? '')
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return CheckedHex.encode(bytes) as Json
}
const ofPrimaryNetwork =
  (lie: Lie): Lie =>
  (result, params) => {
    if (String(params['subnetID']) === PRIMARY_NETWORK) lie(result, params)
  }
const native =
  (lie: Lie): Lie =>
  (result, params) => {
    if (params['sourceChain'] === undefined && (result['utxos']?.length ?? 0) > 0) lie(result, params)
  }
/**
 * Offset of the last byte of an amount. The amount follows version, transaction, index, asset and output
 * type.
 */
const AMOUNT_END = 2 + 32 + 4 + 32 + 4 + 7
const TX_ID = 2
/** Offset of the parent's id. It follows the codec version, the block type and, on the P-chain, the time. */
const PARENT_ID = 2 + 4 + 8
const X_PARENT_ID = 2 + 4

const LIES: readonly (readonly [name: string, method: string, lie: Lie, finding: RegExp])[] = [
  [
    'another supply',
    'platform.getCurrentSupply',
    (result) => Object.assign(result, { supply: plusOne(result['supply']) }),
    /^supply of the Primary Network at height 85: supply: amount is \d+ in the database but \d+ on the node$/,
  ],
  [
    'another weight of one validator',
    'platform.getCurrentValidators',
    ofPrimaryNetwork(({ validators }) => {
      const [first] = validators ?? []
      if (first !== undefined) first['weight'] = plusOne(first['weight'])
    }),
    /^current validators of the Primary Network at height 85: validator NodeID-\S+ .*: weight is \d+ in the/,
  ],
  [
    'a missing validator',
    'platform.getCurrentValidators',
    ofPrimaryNetwork(({ validators }) => void validators?.pop()),
    /validator NodeID-\S+ \(transaction \S+\) is in the database but not on the node$/,
  ],
  [
    'an extra validator',
    'platform.getCurrentValidators',
    ofPrimaryNetwork(({ validators }) => {
      const [first] = validators ?? []
      if (first !== undefined)
        validators?.push(Object.assign(structuredClone(first), { txID: PRIMARY_NETWORK }))
    }),
    /validator NodeID-\S+ \(transaction 1{32}LpoYY\) is on the node but not in the database$/,
  ],
  [
    'another balance of an L1 validator',
    'platform.getCurrentValidators',
    ({ validators }) => {
      for (const one of validators ?? [])
        if (one['validationID'] !== undefined) one['balance'] = plusOne(one['balance'])
    },
    /validator NodeID-\S+ \(validation \S+\): balance is \d+ in the database but \d+ on the node$/,
  ],
  [
    'another validator set at an earlier height',
    'platform.getValidatorsAt',
    ofPrimaryNetwork((result, params) => {
      const [first] = Object.values(result)
      if (Number(params['height']) < 85 && first !== undefined) first['weight'] = plusOne(first['weight'])
    }),
    /^validator set of the Primary Network at height \d+: NodeID-\S+: weight is \d+ in the database/,
  ],
  [
    'another balance on the P-chain',
    'platform.getBalance',
    ({ balances }) => {
      for (const asset of Object.keys(balances ?? {}))
        if (balances !== undefined) balances[asset] = plusOne(balances[asset])
    },
    /^balances of P-local1\S+ at height 85: balance of asset \S+: amount is \d+ in the database but \d+ on/,
  ],
  [
    'another balance on the X-chain',
    'avm.getAllBalances',
    ({ balances }) => void balances?.pop(),
    /^balances of X-local1\S+ at height 35: balance of asset \S+ is in the database but not on the node$/,
  ],
  [
    'a missing UTXO',
    'platform.getUTXOs',
    native(({ utxos }) => void utxos?.pop()),
    /^UTXOs of P-local1\S+ at height 85: UTXO \S+:\d+ is in the database but not on the node$/,
  ],
  [
    'an extra UTXO',
    'avm.getUTXOs',
    native(({ utxos }) => void utxos?.push(changed(utxos[0], TX_ID))),
    /^UTXOs of X-local1\S+ at height 35: UTXO \S+:\d+ is on the node but not in the database$/,
  ],
  [
    'another amount in a UTXO',
    'platform.getUTXOs',
    native(({ utxos }) => {
      if (utxos !== undefined) utxos[0] = changed(utxos[0], AMOUNT_END)
    }),
    /UTXO \S+:\d+: amount is \d+ in the database but \d+ on the node$/,
  ],
  [
    'a missing UTXO that another chain exported',
    'avax.getUTXOs',
    ({ utxos }) => void utxos?.pop(),
    /^UTXOs from the [PX]-chain of .* at height 83: UTXO \S+:\d+ is in the database but not on the node$/,
  ],
  [
    'another block at a height of the P-chain',
    'platform.getBlockByHeight',
    (result) => Object.assign(result, { block: changed(result['block'], PARENT_ID) }),
    /^P-chain block \d+ is \S+ in the database but \S+ on the node$/,
  ],
  [
    'another block at a height of the X-chain',
    'avm.getBlockByHeight',
    (result) => Object.assign(result, { block: changed(result['block'], X_PARENT_ID) }),
    /^X-chain block \d+ is \S+ in the database but \S+ on the node$/,
  ],
]

describe('firn doctor --against', () => {
  let server: TestPostgres.Server | undefined
  let store: Store
  let node: Service
  /** Returns a store with the first blocks of the recorded network, on PostgreSQL if it is available. */
  const fill = async (schema: string, blocks?: number): Promise<Store> => {
    const { genesis, constants, chains } = Recordings.load('local')
    const filled =
      server === undefined
        ? await openPGlite()
        : await Store.open({ url: server.url, schema, connections: 4 })
    await filled.migrate()
    const { writer, state } = await Writer.open(filled, genesis, constants)
    await writer.commit([...Recordings.follow(state, chains)].slice(0, blocks))
    return filled
  }
  beforeAll(async () => {
    if (TestPostgres.missing() === undefined) server = await TestPostgres.start()
    store = await fill('whole')
    node = await startNode(store)
  })
  afterAll(async () => {
    await node.close()
    await store.close()
    await server?.close()
  })

  const messages = async (ask?: typeof fetch, of = store, sample = ALL) => {
    const { findings, skipped } = await compare(of, node.url, ask, sample)
    return { skipped, findings: findings.map(({ message }) => message) }
  }

  test('compares everything and reports no differences from a correct node', async () => {
    const found = await compare(store, node.url)
    expect(found.findings).toEqual([])
    expect(found.skipped).toEqual([])
    expect(found.compared).toBeGreaterThan(200)
  })

  test('reports no differences on a network that crossed an upgrade', async () => {
    const helicon = await recordedStore('helicon')
    const other = await startNode(helicon)
    const found = await compare(helicon, other.url)
    await other.close()
    expect(found.findings).toEqual([])
    expect(found.skipped).toEqual([])
  })

  test('reports no differences in the validator sets of a real node', async () => {
    const sets = recordedSets()
    let used = 0
    const ask = (async (url: string, init: RequestInit) => {
      const { id, method, params } = JSON.parse(String(init.body))
      const recorded =
        method === 'platform.getValidatorsAt' && sets.get(`${params.height} ${params.subnetID}`)
      if (!recorded) return fetch(url, init)
      used += 1
      return Response.json({ ...recorded, id })
    }) as unknown as typeof fetch
    expect(await messages(ask, store, { addresses: 1, heights: ALL.heights })).toEqual({
      findings: [],
      skipped: [],
    })
    expect(used).toBeGreaterThan(30)
  })

  test('compares past state if the node is ahead of the database, and waits for the database only once', async () => {
    const half = await fill('half', 100)
    let slept = 0
    const clock = {
      now: () => 0,
      sleep: async () => {
        slept += 1
      },
    }
    const reference = createReference({ url: node.url, clock, random: Math.random })
    const options = { store: half, reference, clock, random: seeded(1), attempts: 4 }
    const { findings, compared, skipped } = await Against.compare(options, new AbortController().signal)
    await half.close()
    expect(findings).toEqual([])
    expect(compared).toBeGreaterThan(10)
    expect(skipped[0]).toMatch(
      /^supply of the Primary Network: the node is at P-chain height 85, but the database is at \d+ \(in 4 consecutive attempts\)$/,
    )
    expect(slept).toBe(3)
  })

  test.each(LIES)('reports a finding for %s', async (_name, method, lie, finding) => {
    const { findings } = await messages(lying(method, lie), store, FEW)
    expect(findings).not.toEqual([])
    for (const message of findings) expect(message).toMatch(finding)
  })

  describe('on a modified database', () => {
    let broken: Store
    beforeAll(async () => {
      broken = await fill('broken')
    })
    afterAll(() => broken.close())

    test('detects changed blocks, validators, UTXOs and supplies', async () => {
      expect(await messages(fetch, broken, FEW)).toEqual({ findings: [], skipped: [] })
      const db = database(broken)
      await db
        .updateTable('block')
        .set({ id: new Uint8Array(32) })
        .where('chain', '=', 'X')
        .where('height', '=', 35n)
        .execute()
      const gone = await db
        .selectFrom('member')
        .selectAll()
        .where('until', 'is', null)
        .orderBy('weight', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      await db.deleteFrom('member').where('node_id', '=', gone.node_id).where('until', 'is', null).execute()
      await db
        .updateTable('utxo')
        .set({ amount: 1n })
        .where('chain', '=', 'P')
        .where('consumed_height', 'is', null)
        .execute()
      await db.deleteFrom('supply').execute()
      const { findings } = await messages(fetch, broken, FEW)
      const has = (pattern: RegExp) => expect(findings.some((message) => pattern.test(message))).toBe(true)
      has(/^X-chain block 35 is 1{32}LpoYY in the database/)
      has(/^validator set of .* at height 85: NodeID-\S+ is on the node but not in the database$/)
      has(/^supply of the Primary Network at height 85: supply is on the node but not in the database$/)
      has(/^balances of P-local1\S+ at height 85: balance of asset \S+: amount is \d+ in the database/)
    })

    test('exits with status 1 and prints one sentence per difference, and exits with 0 without differences', async () => {
      const url = server && (await TestPostgres.createDatabase(server.url, 'data'))
      const data = ['--data-dir', join(folder, 'data'), ...(url === undefined ? [] : ['--database-url', url])]
      unpackArchive(join(folder, 'archive'))
      expect(await firn('index', '--from', join(folder, 'archive'), ...data)).toMatchObject({ code: 0 })
      const right = await firn('doctor', '--against', node.url, ...data)
      expect(right).toMatchObject({ code: 0, out: expect.stringContaining('no differences found') })
      const liar = await startNode(broken)
      const wrong = await firn('doctor', '--against', liar.url, '--sample-heights', '40', ...data)
      await liar.close()
      expect(wrong.code).toBe(1)
      expect(wrong.out).toMatch(
        /^wrong: validator set of the Primary Network at height 85: NodeID-\S+ is in the database but not on the node$/m,
      )
      expect(wrong.notes).toMatch(/^firn: \d+ differences between the database and the node$/m)
      const nobody = await firn('doctor', '--against', 'http://127.0.0.1:1', ...data)
      expect(nobody.code).toBe(1)
      expect(nobody.notes).toContain('Nothing could be compared with 127.0.0.1:1')
    })
  })
})

const firn = async (...argv: readonly string[]) => {
  const [out, notes]: [string[], string[]] = [[], []]
  const code = await Run.run(argv, {
    print: (line) => out.push(line),
    note: (line) => notes.push(line),
    isInteractive: false,
    signal: new AbortController().signal,
  })
  return { code, out: out.join('\n'), notes: notes.join('\n') }
}

const unpackArchive = (target: string): void => {
  const file = new URL('../../../../services/indexer/vectors/local.json.gz', import.meta.url)
  const { files } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { files: Record<string, string> }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    writeFileSync(join(target, path), text)
  }
}

/** Returns the validator sets that a real node reported, by height and subnet. */
const recordedSets = (): ReadonlyMap<string, object> => {
  const file = new URL('../../../../packages/node-api/vectors/validators_at.jsonl.gz', import.meta.url)
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
  return new Map(
    lines.flatMap((line) => {
      const { height, bySubnet } = JSON.parse(line) as { height: number; bySubnet: Record<string, object> }
      return Object.entries(bySubnet).map(([subnetId, answer]) => [`${height} ${subnetId}`, answer] as const)
    }),
  )
}
