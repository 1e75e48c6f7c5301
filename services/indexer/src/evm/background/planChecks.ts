import { Hex } from '@firn/codec'
import { EvmBalanceChecks, type EvmSnapshot, type EvmStore } from '@firn/evm-store'
import { addressesIn } from './addressesIn.ts'
import { isTrusted, PROBATION } from './judgeBalances.ts'

type Holding = EvmBalanceChecks.Holding
type Summed = EvmBalanceChecks.Summed
type ContractCheck = EvmBalanceChecks.ContractCheck

/** Maximum number of holders to ask for when a contract was called without a transfer, or rests on the chain. */
const MANY_HOLDERS = 32
/** Maximum number of holders to ask for in other contracts that were called, or that are due. */
const FEW_HOLDERS = 4
/** Length of a function's selector in the input of a call. */
const SELECTOR = 4

/** The balances to ask for, and the checks of their contracts. */
export interface Plan {
  readonly holdings: readonly Summed[]
  /**
   * Balances that changed or may have changed without a log, and do not fit into the batches. Balances of trusted
   * contracts are left out: they count as checked, because others of the contract agree.
   */
  readonly left: readonly Holding[]
  /** The checks of the contracts, by their addresses in hexadecimal. */
  readonly checks: ReadonlyMap<string, EvmBalanceChecks.KnownContract>
  /** Heights of token contracts that were created at the address of an earlier contract. */
  readonly createdAgain: ReadonlyMap<string, bigint>
}

/**
 * Chooses the balances to ask for: those that changed, then those that may have changed without a log, then samples.
 */
export async function plan(
  store: EvmStore,
  { first, at, room }: { readonly first: bigint; readonly at: EvmSnapshot; readonly room: number },
): Promise<Plan> {
  const { height, time } = at
  const [changes, due, earlier] = await Promise.all([
    EvmBalanceChecks.changedIn(store, { first, last: height }),
    EvmBalanceChecks.due(store, time, room),
    EvmBalanceChecks.unchecked(store, { height, limit: room }),
  ])
  const { changed, touched, created, calls } = changes
  const contracts = [...changed, ...touched, ...created, ...calls, ...earlier].map(({ contract }) => contract)
  const all = await EvmBalanceChecks.ofContracts(store, [...contracts, ...due], height)
  const checks = new Map(all.map((one) => [Hex.encode(one.contract), one]))
  const restsOnChain = ({ contract }: { readonly contract: Uint8Array }) =>
    checks.get(Hex.encode(contract))?.basis === 'chain'
  const quiet = touched.filter(({ isQuiet }) => isQuiet).map(({ contract }) => contract)
  const others = [...touched.filter(({ isQuiet }) => !isQuiet).map(({ contract }) => contract), ...due]
  const creators = await EvmBalanceChecks.creators(store, contractsOf(changed, checks))
  const possible = [...created.flatMap(ownersOf), ...itemsOf(creators, changed), ...calls.flatMap(partiesOf)]
  const [quietHolders, otherHolders, named] = await Promise.all([
    EvmBalanceChecks.holders(store, quiet, { height, limit: MANY_HOLDERS }),
    EvmBalanceChecks.holders(store, others, { height, limit: FEW_HOLDERS }),
    EvmBalanceChecks.sums(store, possible, height),
  ])
  const chosen = new Map<string, Summed>()
  const counts = new Map<string, number>()
  const add = (holdings: readonly Summed[]) => {
    for (const one of holdings) {
      const key = keyOf(one)
      if (chosen.size >= room || chosen.has(key)) continue
      const contract = Hex.encode(one.contract)
      const count = counts.get(contract) ?? 0
      if (count >= mostOf(checks.get(contract))) continue
      counts.set(contract, count + 1)
      chosen.set(key, one)
    }
  }
  const onLogs = byTurns(changed.filter((one) => !restsOnChain(one)))
  add(onLogs)
  add(earlier)
  add(named)
  add(largest(quietHolders, MANY_HOLDERS))
  add(largest(otherHolders, FEW_HOLDERS))
  add(byTurns(changed.filter(restsOnChain)))
  return {
    holdings: [...chosen.values()],
    left: [...onLogs, ...[...named, ...quietHolders].filter((one) => !restsOnChain(one))].filter(
      (one) => !chosen.has(keyOf(one)) && !isTrusted(checks.get(Hex.encode(one.contract)), time),
    ),
    checks,
    createdAgain: new Map(
      created
        .filter(
          ({ contract, standard, isAgain }) =>
            isAgain && (standard !== 0 || checks.has(Hex.encode(contract))),
        )
        .map(({ contract, height }) => [Hex.encode(contract), height]),
    ),
  }
}

/**
 * Returns the maximum number of balances of a contract to ask for in one step. Of contracts whose balances rest on the
 * chain, those that lie are no longer asked, and those that never returned a number are asked once.
 */
function mostOf(check: EvmBalanceChecks.KnownContract | undefined): number {
  if (check?.basis !== 'chain') return Number.POSITIVE_INFINITY
  if (check.class === 'lying') return 0
  return check.hasReadings ? MANY_HOLDERS : 1
}

/** Returns the balances of accounts that may own tokens that a constructor created without a log. */
function ownersOf({
  contract,
  standard,
  deployer,
  creator,
  input,
}: EvmBalanceChecks.CreatedToken): Holding[] {
  if (standard !== 20 && standard !== 721) return []
  const addresses = [deployer, creator, ...addressesIn(input)]
  return addresses.map((address) => ({ contract, standard, tokenId: 0n, address }))
}

/** Returns the ERC-1155 contracts among changed balances that have not agreed often yet. */
function contractsOf(
  changed: readonly Summed[],
  checks: ReadonlyMap<string, ContractCheck>,
): readonly Uint8Array[] {
  return changed.flatMap(({ contract, standard }) => {
    const { agreements = 0, basis = 'logs' } = checks.get(Hex.encode(contract)) ?? {}
    return standard === 1155 && basis === 'logs' && agreements < PROBATION ? [contract] : []
  })
}

/** Returns the balances that creators of ERC-1155 contracts may have of the changed tokens from the constructor. */
function itemsOf(creators: readonly EvmBalanceChecks.Creator[], changed: readonly Summed[]): Holding[] {
  const byContract = Map.groupBy(creators, ({ contract }) => Hex.encode(contract))
  return changed.flatMap(({ contract, standard, tokenId }) => {
    const own = standard === 1155 ? (byContract.get(Hex.encode(contract)) ?? []) : []
    return own.map(({ address }) => ({ contract, standard, tokenId, address }))
  })
}

/** Returns the balances that a call without transfers may have changed: of its sender and of its arguments. */
function partiesOf({ contract, standard, sender, input }: EvmBalanceChecks.QuietCall): Holding[] {
  return [sender, ...addressesIn(input.subarray(SELECTOR))].map((address) => ({
    contract,
    standard,
    tokenId: 0n,
    address,
  }))
}

/** Orders balances so that each contract has its first balance before any contract has its second one. */
function byTurns(holdings: readonly Summed[]): readonly Summed[] {
  const counts = new Map<string, number>()
  const placed = holdings.map((holding) => {
    const key = Hex.encode(holding.contract)
    const place = counts.get(key) ?? 0
    counts.set(key, place + 1)
    return { holding, place }
  })
  return placed.sort((one, other) => one.place - other.place).map(({ holding }) => holding)
}

/** Returns the holders with the largest balances, and other ones: at most `most` of each contract. */
function largest(holders: readonly Summed[], most: number): readonly Summed[] {
  const all = [...Map.groupBy(holders, ({ contract }) => Hex.encode(contract)).values()]
  return byTurns(
    all.flatMap((own) => {
      if (own.length <= most) return own
      const sorted = own.toSorted((one, other) => Number(sumOf(other) - sumOf(one)))
      const half = Math.ceil(most / 2)
      return [
        ...sorted.slice(0, half),
        ...own.filter((one) => sorted.indexOf(one) >= half).slice(0, most - half),
      ]
    }),
  )
}

function sumOf({ balance, wrapped }: Summed): bigint {
  return balance + wrapped
}

function keyOf({ contract, standard, tokenId, address }: Holding): string {
  return `${Hex.encode(contract)} ${standard} ${tokenId} ${Hex.encode(address)}`
}
