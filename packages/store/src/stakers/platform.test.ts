import { Bytes, Hex } from '@firn/codec'
import { LedgerState, Records } from '@firn/ledger'
import { Stakeable } from '@firn/txs'
import { expect, test } from 'vitest'
import type { Accepted } from '../Accepted.ts'
import * as Blockchains from '../blockchains/Blockchains.ts'
import * as Blocks from '../blocks/index.ts'
import * as RecordCodec from '../RecordCodec.ts'
import * as Snapshots from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import * as Subnets from '../subnets/Subnets.ts'
import * as Supplies from '../subnets/Supplies.ts'
import { eachDatabase } from '../testing/databases.ts'
import { adding, commitInvented, inventedStaker, inventedSubnet } from '../testing/invented.ts'
import { follow, load, type Name } from '../testing/recordings.ts'
import * as L1Validators from '../validators/L1Validators.ts'
import * as Validators from '../validators/Validators.ts'
import { Writer } from '../Writer.ts'
import * as Stakers from './index.ts'

const PRIMARY = new Uint8Array(32)
const { staker, subnet, chain, l1Validator, member } = RecordCodec
const hex: (bytes: Uint8Array) => string = Hex.encode

/** The state of one subnet at one height, in a form that can be compared. */
interface SubnetView {
  readonly validators: readonly string[]
  /** Delegators of each validator, by node id. */
  readonly delegators: Readonly<Record<string, readonly string[]>>
  readonly delegations: Readonly<Record<string, string>>
  readonly set: readonly string[]
  readonly totalWeight: bigint
  readonly weights: readonly bigint[]
  readonly l1: readonly string[]
  readonly chains: readonly string[]
  readonly supply: bigint | undefined
}

interface View {
  readonly subnets: readonly string[]
  readonly chains: readonly string[]
  readonly members: readonly string[]
  readonly tip: RecordCodec.PlatformState
  readonly bySubnet: Readonly<Record<string, SubnetView>>
  readonly staked: Readonly<Record<string, readonly [all: readonly string[], validators: readonly string[]]>>
}

const newestFirst = (a: { height: bigint; ordinal: number }, b: { height: bigint; ordinal: number }) =>
  Number(b.height - a.height) || b.ordinal - a.ordinal
const nodes = (stakers: readonly Records.Staker[]) => [
  ...new Map(stakers.map(({ nodeId }) => [hex(nodeId), nodeId])).values(),
]

/** Returns the expected view, taken from the ledger's state in memory. */
function viewOf(state: LedgerState.LedgerState): View {
  const { tables } = state
  const stakers = [...tables.staker.ordered()].toSorted(Records.compareStakers)
  const subnets = [...tables.subnet.ordered()].toSorted(newestFirst)
  const chains = [...tables.chain.ordered()].toSorted(newestFirst)
  const members = [...tables.member.ordered()]
  const { time, platform } = LedgerState.tip(state, 'P')
  const { gas, validatorExcess, activeL1Validators, accruedFees } = platform as Records.PlatformTip
  const ofSubnet = (id: Uint8Array): SubnetView => {
    const mine = stakers.filter(({ subnetId, status }) => Bytes.equals(subnetId, id) && status === 'current')
    const delegators = mine.filter(({ role }) => role === 'delegator')
    const of = (nodeId: Uint8Array) => delegators.filter((each) => Bytes.equals(each.nodeId, nodeId))
    const set = members.filter(({ subnetId }) => Bytes.equals(subnetId, id))
    const l1 = [...tables.l1Validator.ordered()].filter(({ subnetId }) => Bytes.equals(subnetId, id))
    const sum = (list: readonly { weight: bigint }[]) =>
      list.reduce((total, { weight }) => total + weight, 0n)
    return {
      validators: mine.filter(({ role }) => role === 'validator').map((each) => hex(staker.encode(each))),
      delegators: Object.fromEntries(
        nodes(mine).map((node) => [hex(node), of(node).map((each) => hex(staker.encode(each)))]),
      ),
      delegations: Object.fromEntries(
        nodes(delegators).map((node) => [hex(node), `${of(node).length} ${sum(of(node))}`]),
      ),
      set: set.map((each) => hex(member.encode(each))).sort(),
      totalWeight: sum(set),
      weights: set.toSorted((a, b) => Bytes.compare(a.nodeId, b.nodeId)).map(({ weight }) => weight),
      l1: l1
        .toSorted((a, b) => Bytes.compare(a.nodeId, b.nodeId))
        .map((each) => hex(l1Validator.encode(each))),
      chains: chains
        .filter(({ subnetId }) => Bytes.equals(subnetId, id))
        .map((each) => hex(chain.encode(each))),
      supply: tables.supply.get(Hex.encodeBare(id))?.supply,
    }
  }
  const ids = [...subnets.map(({ subnetId }) => subnetId), PRIMARY]
  const bySubnet = Object.fromEntries(ids.map((id) => [hex(id), ofSubnet(id)]))
  const inOrder = [
    ...stakers.filter(({ status }) => status === 'current'),
    ...stakers.filter(({ status }) => status === 'pending'),
  ]
  const owners = ({ stake }: Records.Staker) =>
    stake.flatMap(({ output }) => Stakeable.unlocked(output).addresses.map(hex))
  const staked = (address: string) => inOrder.filter((each) => owners(each).includes(address))
  return {
    subnets: subnets.map((each) => hex(subnet.encode(each))),
    chains: ids.flatMap((id) => bySubnet[hex(id)]?.chains ?? []),
    members: members.map((each) => hex(member.encode(each))).sort(),
    tip: { time, gas, validatorExcess, activeL1Validators, accruedFees },
    bySubnet,
    staked: Object.fromEntries(
      [...new Set(stakers.flatMap(owners))].map((address) => [
        address,
        [
          staked(address).map((each) => hex(staker.encode(each))),
          staked(address)
            .filter(({ role }) => role === 'validator')
            .map((each) => hex(staker.encode(each))),
        ],
      ]),
    ),
  }
}

/** Returns the view that the store's queries return at a height. */
async function read(store: Store, at: Snapshots.Snapshot, expected: View): Promise<View> {
  const ofSubnet = async (id: Uint8Array, view: SubnetView): Promise<SubnetView> => {
    const validators = await Stakers.validators(store, at, id)
    const delegations = await Stakers.delegations(store, at, id)
    const delegators = Object.keys(view.delegators).map(async (node) => {
      const found = await Stakers.delegators(store, at, id, Hex.decode(node))
      return [node, found.map((each) => hex(staker.encode(each)))] as const
    })
    const set = await Validators.setAt(store, at.P.height, id)
    const sorted = set.toSorted((a, b) => Bytes.compare(a.nodeId, b.nodeId))
    return {
      validators: validators.map((each) => hex(staker.encode(each))),
      delegators: Object.fromEntries(await Promise.all(delegators)),
      delegations: Object.fromEntries(
        delegations.map(({ nodeId, count, weight }) => [hex(nodeId), `${count} ${weight}`]),
      ),
      set: set.map((each) => hex(member.encode(each))).sort(),
      totalWeight: await Validators.totalWeight(store, at, id),
      weights: await Promise.all(
        sorted.map(({ nodeId }) => Validators.weightAt(store, at.P.height, id, nodeId)),
      ),
      l1: (await L1Validators.bySubnet(store, at, id)).map((each) => hex(l1Validator.encode(each))),
      chains: (await Blockchains.bySubnet(store, at, id)).map((each) => hex(chain.encode(each))),
      supply: await Supplies.bySubnet(store, at, id),
    }
  }
  const bySubnet = Object.entries(expected.bySubnet).map(
    async ([id, view]) => [id, await ofSubnet(Hex.decode(id), view)] as const,
  )
  const staked = Object.keys(expected.staked).map(async (address) => {
    const addresses = [Hex.decode(address)]
    const all = await Stakers.byAddresses(store, at, { addresses, roles: 'all' })
    const validators = await Stakers.byAddresses(store, at, { addresses, roles: 'validators' })
    const forms = [all, validators].map((list) => list.map((each) => hex(staker.encode(each))))
    return [address, forms as [string[], string[]]] as const
  })
  return {
    subnets: (await Subnets.all(store, at)).map((each) => hex(subnet.encode(each))),
    chains: (await Blockchains.all(store, at)).map((each) => hex(chain.encode(each))),
    members: (await Validators.allAt(store, at.P.height)).map((each) => hex(member.encode(each))).sort(),
    tip: await Blocks.platformState(store, at),
    bySubnet: Object.fromEntries(await Promise.all(bySubnet)),
    staked: Object.fromEntries(await Promise.all(staked)),
  }
}

const REPLAYED = new Map<Name, ReturnType<typeof replayAll>>()

/** Returns the recorded blocks, and the expected view after each P-chain block. */
function replay(name: Name) {
  const replayed = REPLAYED.get(name) ?? replayAll(name)
  REPLAYED.set(name, replayed)
  return replayed
}

function replayAll(name: Name) {
  const { genesis, constants, chains } = load(name)
  const state = LedgerState.create(genesis, constants)
  const views = [{ tip: LedgerState.tip(state, 'P'), view: viewOf(state) }]
  const blocks: Accepted[] = []
  for (const block of follow(state, chains)) {
    blocks.push(block)
    if (block.chain === 'P') views.push({ tip: LedgerState.tip(state, 'P'), view: viewOf(state) })
  }
  return { genesis, constants, blocks, views }
}

eachDatabase(({ name: database, open }) => {
  /** PGlite is slow, so only every fifth height is compared there. */
  const step = database === 'PGlite' ? 5 : 1

  test.each<[Name, number]>([
    ['local', 86],
    ['helicon', 44],
  ])(
    'returns the same state as the ledger at heights across the recorded network %s',
    async (name, count) => {
      const { genesis, constants, blocks, views } = replay(name)
      const store = await open()
      const { writer } = await Writer.open(store, genesis, constants)
      await writer.commit(blocks)
      const { X, C } = await store.snapshot()
      expect(views.length).toBe(count)
      for (const { tip, view } of views.filter((_, height) => height % step === 0)) {
        const at = Snapshots.create({ P: tip, X, C })
        expect(await read(store, at, view), `height ${tip.height}`).toEqual(view)
      }
    },
  )

  test('returns subnets, blockchains and L1 validators by id, and validators by NodeID', async () => {
    const { genesis, constants, blocks, views } = replay('local')
    const store = await open()
    const { writer } = await Writer.open(store, genesis, constants)
    await writer.commit(blocks)
    const at = await store.snapshot()
    const before = Snapshots.create({ ...at, P: (views[10] as (typeof views)[0]).tip })
    const [newest, ...others] = await Subnets.all(store, at)
    const id = newest?.subnetId as Uint8Array

    expect(await Subnets.byId(store, at, id)).toEqual(newest)
    expect(await Subnets.byId(store, before, id)).toBeUndefined()
    const oldest = others.at(-1) as Records.Subnet
    expect(await Subnets.byIds(store, at, [PRIMARY, oldest.subnetId])).toEqual([oldest])

    const [chainOfSubnet] = await Blockchains.bySubnet(store, at, id)
    const blockchainId = chainOfSubnet?.blockchainId as Uint8Array
    expect(await Blockchains.byId(store, at, blockchainId)).toEqual(chainOfSubnet)
    expect(await Blockchains.byId(store, before, blockchainId)).toBeUndefined()

    const [first, second] = await L1Validators.bySubnet(store, at, id)
    expect(await L1Validators.byId(store, at, first?.validationId as Uint8Array)).toEqual(first)
    expect(await L1Validators.byId(store, before, first?.validationId as Uint8Array)).toBeUndefined()
    expect(await L1Validators.bySubnet(store, at, id, [second?.nodeId as Uint8Array, PRIMARY])).toEqual([
      second,
    ])

    const [leaving, staying] = await Stakers.validators(store, at, PRIMARY)
    const some = [staying?.nodeId, leaving?.nodeId] as Uint8Array[]
    expect(await Stakers.validators(store, at, PRIMARY, some)).toEqual([leaving, staying])
    expect(await Stakers.delegations(store, at, PRIMARY, [])).toEqual([])
    expect(await Validators.weightAt(store, at.P.height, PRIMARY, new Uint8Array(20))).toBe(0n)
    expect(await Validators.totalWeight(store, at, new Uint8Array(32).fill(1))).toBe(0n)
  })

  test('finds recent blocks by acceptance time, or by block time if the acceptance time is unknown', async () => {
    const { genesis, constants, blocks } = replay('local')
    const acceptedAt = (height: bigint) => height * 1_000_000_000n
    const store = await open()
    const { writer } = await Writer.open(store, genesis, constants)
    let height = 0n
    for (const block of blocks) {
      if (block.chain === 'P') height += 1n
      const { container } = block
      const isTold = block.chain === 'P' && height < 80n
      await writer.commit([
        isTold && container
          ? { ...block, container: { ...container, acceptedAt: acceptedAt(height) } }
          : block,
      ])
    }
    const end = await store.snapshot()
    const at = (top: bigint) => Snapshots.create({ ...end, P: { ...end.P, height: top } })
    const recent = (top: bigint, after: bigint, limit = 64) =>
      Blocks.oldestRecent(store, at(top), { after, limit })
    expect(await recent(79n, acceptedAt(70n))).toBe(70n)
    expect(await recent(79n, acceptedAt(70n) + 1n)).toBe(71n)
    expect(await recent(79n, 0n)).toBe(16n)
    expect(await recent(79n, 0n, 4)).toBe(76n)
    expect(await recent(5n, 0n)).toBe(1n)
    expect(await recent(0n, 0n)).toBeUndefined()
    expect(await recent(79n, acceptedAt(80n))).toBeUndefined()
    expect(await recent(85n, acceptedAt(1000n))).toBe(80n)
  })

  test('returns current stakers sorted by end time, then pending stakers sorted by start time, with ties broken by priority and id', async () => {
    const { genesis, constants } = load('local')
    const store = await open()
    const opened = await Writer.open(store, genesis, constants)
    const output = {
      type: 'TransferOutput',
      amount: 1n,
      locktime: 0n,
      threshold: 1,
      addresses: [ADDRESS],
    } as const
    const stake = [{ assetID: genesis.avaxAssetId, output }]
    const add = (fill: number, given: Partial<Records.Staker>) =>
      adding('staker', inventedStaker({ txId: id(fill), nodeId: id(fill).subarray(12), stake, ...given }))
    const late = { status: 'pending', startTime: 1_700_000_000n, endTime: 1_700_000_002n } as const
    await commitInvented(opened, [
      {
        changes: [
          add(1, { ...late, startTime: 1_700_000_001n }),
          add(8, late),
          add(7, { ...late, role: 'delegator', priority: 3 }),
          add(6, { endTime: 1_900_000_001n }),
          add(5, { startTime: 1_900_000_000n - 1n }),
          add(4, { priority: 10, role: 'delegator' }),
          add(3, { startTime: 1_600_000_000n }),
        ],
      },
      {
        changes: [
          adding('subnet', newSubnet(1, 0)),
          adding('subnet', newSubnet(2, 1)),
          ...chainsOf(1),
          ...chainsOf(2),
        ],
      },
    ])
    const at = await store.snapshot()
    const ids = (records: readonly Records.Staker[]) => records.map(({ txId }) => txId[0])
    const of = (roles: 'all' | 'validators') =>
      Stakers.byAddresses(store, at, { addresses: [ADDRESS], roles })
    expect(ids(await of('all'))).toEqual([4, 3, 5, 6, 7, 8, 1])
    expect(ids(await of('validators'))).toEqual([3, 5, 6, 8, 1])
    const mine = (await Stakers.validators(store, at, PRIMARY)).filter(
      ({ stake: [first] }) => first?.output.type === 'TransferOutput' && first.output.amount === 1n,
    )
    expect(ids(mine)).toEqual([3, 5, 6])
    expect(ids(await Stakers.delegators(store, at, PRIMARY, id(7).subarray(12)))).toEqual([])
    expect(await Stakers.delegations(store, at, PRIMARY)).toEqual([
      { nodeId: id(4).subarray(12), count: 1n, weight: 1n },
    ])
    expect((await Subnets.all(store, at)).map(({ subnetId }) => subnetId[0])).toEqual([2, 1])
    const names = (await Blockchains.all(store, at)).map(({ name }) => name)
    expect(names).toEqual(['2b', '2a', '1b', '1a', 'C-Chain', 'X-Chain'])
  })
})

const ADDRESS = new Uint8Array(20).fill(5)
const id = (fill: number) => new Uint8Array(32).fill(fill)
const newSubnet = (fill: number, ordinal: number) =>
  inventedSubnet({ subnetId: id(fill), height: 2n, ordinal })
const chainsOf = (fill: number) =>
  ['a', 'b'].map((letter, i) => {
    const name = `${fill}${letter}`
    const [blockchainId, subnetId] = [id(16 * fill + i), id(fill)]
    // The positions are chosen so that records of the older subnet come later in their block.
    const ordinal = 4 - 2 * fill + i
    return adding('chain', {
      blockchainId,
      name,
      subnetId,
      vmId: PRIMARY,
      fxIds: [],
      height: 2n,
      ordinal,
    })
  })
