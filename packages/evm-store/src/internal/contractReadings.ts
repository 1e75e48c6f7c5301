import type { ContractFacts, ContractKind } from '@firn/evm'
import { formatArray, type Session, toKey } from '@firn/sql'
import type { EvmPosition } from '../EvmSnapshot.ts'
import type { Added } from './Added.ts'

/** The numbers by which token standards are stored. */
export const STANDARDS: { readonly [K in ContractKind]: number } = {
  'ERC-20': 20,
  'ERC-721': 721,
  'ERC-1155': 1155,
  UNKNOWN: 0,
}

/**
 * Keys of the first topics of events after which a contract may return other names, decimals or standards, or have
 * another implementation.
 */
const CHANGES: ReadonlySet<string> = new Set(
  [
    // Initialized(uint8) and Initialized(uint64)
    '7f26b83ff96e1f2b6a682f133852f6798a09c465da95921460cefb3847402498',
    'c7f505b2f371ae2175ee4913f4499e1f2633a7b5936321eed1cdaeb6115181d2',
    // Upgraded(address), BeaconUpgraded(address) and AdminChanged(address,address) of ERC-1967
    'bc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b',
    '1cf3b03a6cf19fa2baba4df148e9dcabedea7f8a5c07840e207e5c089be95d3e',
    '7e644d79422f17c01e4894b5f4f588d331ebfa28653d42ae832dc59e38c9798f',
  ].map((topic) => toKey(Buffer.from(topic, 'hex'))),
)

/** A contract that does not return everything is read again this many times at most. */
const MAX_ATTEMPTS = 3
/** Seconds until a new contract is read again. Each further time is 60 times longer: a minute, an hour, 60 hours. */
const DELAY = 60n

/**
 * Schedules the readings of contracts that may have changed in the blocks: those that emitted events of changes, those
 * whose beacon did, and those that were created again. Also schedules those among `added` that have no names, decimals
 * or standard. They may be proxies that are initialized later.
 */
export async function schedule(
  session: Session,
  blocks: readonly Added[],
  added: readonly Uint8Array[],
): Promise<void> {
  const time = blocks.at(-1)?.row.time
  if (time === undefined) return
  const changed = new Map<string, { readonly address: Uint8Array; readonly due: bigint }>()
  const fresh = new Set(added.map(toKey))
  for (const { block, row, rows } of blocks) {
    // A reading at an earlier block, which may be under way, is of this second at the latest, so it does not count.
    const change = (address: Uint8Array) => changed.set(toKey(address), { address, due: row.time + 1n })
    for (const { contract, succeeded } of rows.creation)
      if (succeeded && contract !== null && !fresh.delete(toKey(contract))) change(contract)
    for (const { logs } of block.transactions)
      for (const { address, topics } of logs) {
        const [topic] = topics
        if (topic !== undefined && CHANGES.has(toKey(topic))) change(address)
      }
  }
  if (added.length > 0) await session.query(SCHEDULE_NEW, [added, String(time + DELAY)])
  if (changed.size === 0) return
  const all = [...changed.values()]
  await session.query(SCHEDULE, [all.map(({ address }) => address), formatArray(all.map(({ due }) => due))])
}

const IS_INCOMPLETE = `(c.standard = 0 or c.standard = 20 and c.decimals is null
  or c.standard <> 1155 and (c.name is null or c.symbol is null) or c.beacon is not null and c.implementation is null)`
const SCHEDULE_NEW = `insert into contract_due (contract, attempts, due) select c.address, 0, $2::int8
  from unnest($1::bytea[]) as k (address) join contract c using (address) where ${IS_INCOMPLETE} on conflict do nothing`
const SCHEDULE = `with changed as (select * from unnest($1::bytea[], $2::int8[]) as k (address, due))
  insert into contract_due (contract, attempts, due) select address, 0, max(due)
  from (select c.address, k.due from changed k join contract c using (address) union all
    select c.address, k.due from changed k join contract c on c.beacon = k.address) as c group by address
  on conflict (contract) do update set attempts = 0, due = excluded.due`

/**
 * Schedules the readings of contracts with ERC-20 transfers that may be collections: without decimals, and not asked yet
 * whether the values of their transfers are ids.
 */
export async function scheduleValues(
  session: Session,
  contracts: readonly { readonly address: Uint8Array; readonly due: bigint }[],
): Promise<void> {
  if (contracts.length === 0) return
  await session.query(SCHEDULE_VALUES, [
    contracts.map(({ address }) => address),
    formatArray(contracts.map(({ due }) => due)),
  ])
}

const SCHEDULE_VALUES = `insert into contract_due as d (contract, attempts, due) select c.address, 0, k.due
  from unnest($1::bytea[], $2::int8[]) as k (address, due) join contract c using (address)
  where c.values_are_ids is null and c.decimals is null and c.standard in (0, 20, 721)
  on conflict (contract) do update set due = least(d.due, excluded.due)`

/**
 * Stores what contracts returned at a block. Returns false and stores nothing if the block is no longer stored. Empty
 * answers do not replace earlier ones.
 */
export async function storeReadings(
  session: Session,
  { height, hash, time }: EvmPosition,
  facts: readonly ContractFacts[],
): Promise<boolean> {
  const [block] = await session.query('select from block where height = $1 and hash = $2', [
    String(height),
    hash,
  ])
  if (block === undefined) return false
  const addresses = facts.map(({ address }) => address)
  const values = [
    addresses,
    formatArray(facts.map(({ kind }) => STANDARDS[kind])),
    facts.map(({ name }) => name ?? null),
    facts.map(({ symbol }) => symbol ?? null),
    formatArray(facts.map(({ decimals }) => decimals ?? 'null')),
    formatArray(facts.map(({ proxy }) => proxy?.kind ?? 'null')),
    facts.map(({ proxy }) => proxy?.implementation ?? null),
    facts.map(({ proxy }) => proxy?.beacon ?? null),
    String(height),
  ]
  await session.query(STORE, values)
  const asked = facts.filter(({ valuesAreIds }) => valuesAreIds === false)
  await session.query(NO_IDS, [asked.map(({ address }) => address)])
  await session.query(
    `delete from contract_due d where contract = any($1::bytea[]) and due <= $2::int8
      and not exists (select from contract c where c.address = d.contract and ${IS_INCOMPLETE})`,
    [addresses, String(time)],
  )
  await session.query(
    `update contract_due set attempts = attempts + 1, due = $2::int8 + ${DELAY} * power(60, attempts + 1)::int8
      where contract = any($1::bytea[]) and due <= $2::int8`,
    [addresses, String(time)],
  )
  await session.query(
    `delete from contract_due where contract = any($1::bytea[]) and attempts >= ${MAX_ATTEMPTS}`,
    [addresses],
  )
  return true
}

const NO_IDS =
  'update contract set values_are_ids = false where address = any($1::bytea[]) and values_are_ids is null'

/** The columns of {@link FACTS}, of the row `name`. */
const of = (name: string) => FACTS.map((column) => `${name}.${column}`).join(', ')

/** The stored facts about a contract. */
const FACTS = ['standard', 'name', 'symbol', 'decimals', 'proxy', 'implementation', 'beacon'] as const

/** The standard of the contract `c`, of which another is known: a collection stays ERC-721, because its transfers do. */
const standardOf = (known: string) => `case when c.values_are_ids then 721 else ${known} end`
/** The columns of {@link FACTS}, of the row `name`, as they replace the columns of the contract `c`. */
const lasting = (name: string) => of(name).replace(`${name}.standard`, standardOf(`${name}.standard`))

/**
 * A contract without an answer about proxies remains what it was, and so does the implementation of a proxy whose beacon
 * did not tell it. The version before the first reading at a height is kept if a contract is read several times at it.
 */
const STORE = `with given as (select c.address,
      ${standardOf('coalesce(nullif(k.standard, 0), c.standard)')} as standard,
      coalesce(k.name, c.name) as name, coalesce(k.symbol, c.symbol) as symbol,
      coalesce(k.decimals, c.decimals) as decimals, coalesce(k.proxy, c.proxy) as proxy,
      coalesce(k.implementation, case when k.proxy is null or k.beacon = c.beacon then c.implementation end)
        as implementation, case when k.proxy is null then c.beacon else k.beacon end as beacon
    from unnest($1::bytea[], $2::int4[], $3::bytea[], $4::bytea[], $5::int4[], $6::text[], $7::bytea[], $8::bytea[])
      as k (address, standard, name, symbol, decimals, proxy, implementation, beacon) join contract c using (address)),
  changed as (select n.* from given n join contract c using (address) where (${of('c')}) is distinct from (${of('n')})),
  kept as (insert into contract_version (contract, height, ${FACTS.join(', ')})
    select address, $9::int8, ${of('c')} from contract c join changed using (address) on conflict do nothing)
  update contract c set (${FACTS.join(', ')}) = row (${of('n')}) from changed n where n.address = c.address`

/** Returns to what was known of contracts at a height. Contracts that were read later are read again. */
export async function undoReadings(session: Session, height: bigint): Promise<void> {
  for (const statement of UNDO)
    await session.query(statement, statement.includes('$1') ? [String(height)] : [])
}

const UNDO = [
  `insert into contract_due (contract, attempts, due) select distinct contract, 0, 0 from contract_version where height > $1
    on conflict (contract) do update set attempts = 0, due = 0`,
  `update contract c set (${FACTS.join(', ')}) = row (${lasting('v')})
    from (select distinct on (contract) * from contract_version where height > $1 order by contract, height) v
    where c.address = v.contract`,
  'delete from contract_version where height > $1',
]
