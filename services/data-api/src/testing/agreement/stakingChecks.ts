import { percentOf } from '../../primary/shapes/Percent.ts'
import { type Body, byKey, type Checks, pick, type Same, total, unique } from './Checks.ts'
import { list, type Network, one, transactions } from './ledgerChecks.ts'

const PRIMARY = '11111111111111111111111111111111LpoYY'

/** Returns the validators of all subnets that are not L1s. */
const validators = (network: Network) => list(network, '/validators', 'validators')
/** Returns the delegators of the Primary Network. */
const delegators = (network: Network) => list(network, '/delegators', 'delegators')
const isActive = (staker: Body) => (staker.validationStatus ?? staker.delegationStatus) === 'active'
const hashes = (stakers: readonly Body[]) => stakers.map(({ txHash }) => txHash)
const stakesOf = ({ amountStaked }: Body) => total(amountStaked, ({ amount }) => amount)
const transactionsById = async (network: Network) => byKey(await transactions(network, 'p-chain'), 'txHash')

/** Returns the nodes of all stakers. */
async function nodes(network: Network): Promise<string[]> {
  return unique([...(await validators(network)), ...(await delegators(network))].map(({ nodeId }) => nodeId))
}

/** An auto-renewed validator is shown with its last period, and its transaction with all of them. */
const isRenewed = ({ txType }: Body) => txType === 'AddAutoRenewedValidatorTx'

/** Comparisons of stakers and their rewards. */
export const STAKING_CHECKS: Checks<Network> = {
  listValidators: async (network, same) => {
    const all = await validators(network)
    const txs = await transactionsById(network)
    const currentDelegators = (await delegators(network)).filter(isActive)
    for (const member of ['subnetId', 'validationStatus'] as const)
      for (const [value, expected] of Map.groupBy(all, (one) => one[member]))
        same(value, await list(network, `/validators?${member}=${value}`, 'validators'), expected)
    for (const one of all) {
      const { txHash, delegationFee: delegationFeePercent, amountStaked, rewards, potentialRewards } = one
      const tx = txs.get(txHash)
      const own = { ...pick(one, 'nodeId', 'subnetId', 'blsCredentials'), delegationFeePercent }
      const { rewardAddresses, rewardTxHash } = rewards ?? potentialRewards ?? {}
      same(txHash, { ...own, rewardAddresses, rewardTxHash }, tx)
      if (isRenewed(tx)) continue
      same(txHash, pick(one, 'startTimestamp', 'endTimestamp'), tx)
      if (tx.amountStaked.length > 0) same(txHash, amountStaked, stakesOf(tx))
    }
    for (const [subnetId, own] of Map.groupBy(all.filter(isActive), (one) => one.subnetId)) {
      const delegated = subnetId === PRIMARY ? currentDelegators : []
      const weight = BigInt(total(own, weightOf)) + BigInt(total(delegated, weightOf))
      for (const one of own) {
        const below = delegated.filter(({ nodeId }) => nodeId === one.nodeId)
        same(one.txHash, one.stakePercentage, percentOf(BigInt(one.amountStaked), weight))
        if (subnetId !== PRIMARY) continue
        const { delegatorCount, amountDelegated } = one
        same(one.txHash, { delegatorCount, amountDelegated }, counted(below))
      }
    }
  },
  getSingleValidatorDetails: async (network, same) => {
    for (const [nodeId, expected] of Map.groupBy(await validators(network), (one) => one.nodeId)) {
      same(nodeId, await list(network, `/validators/${nodeId}`, 'validators'), expected)
      same(nodeId, await list(network, `/validators?nodeIds=${nodeId}`, 'validators'), expected)
    }
  },
  listDelegators: async (network, same) => {
    const all = await delegators(network)
    const txs = await transactionsById(network)
    for (const [status, expected] of Map.groupBy(all, ({ delegationStatus }) => delegationStatus))
      same(status, await list(network, `/delegators?delegationStatus=${status}`, 'delegators'), expected)
    for (const [nodeId, expected] of Map.groupBy(all, (one) => one.nodeId)) {
      same(nodeId, await list(network, `/delegators?nodeIds=${nodeId}`, 'delegators'), expected)
    }
    for (const address of unique(all.flatMap(({ rewardAddresses }) => rewardAddresses))) {
      const expected = all.filter(({ rewardAddresses }) => rewardAddresses.includes(address))
      same(address, await list(network, `/delegators?rewardAddresses=${address}`, 'delegators'), expected)
    }
    const fees = Map.groupBy(await validators(network), ({ nodeId, subnetId }) => `${nodeId} ${subnetId}`)
    for (const one of all) {
      const tx = txs.get(one.txHash)
      same(one.txHash, pick(one, 'nodeId', 'rewardAddresses', 'startTimestamp', 'endTimestamp'), tx)
      same(one.txHash, one.amountDelegated, stakesOf(tx))
      const at = (fees.get(`${one.nodeId} ${PRIMARY}`) ?? []).filter((validator) => isWithin(one, validator))
      for (const validator of at) same(one.txHash, pick(one, 'delegationFee'), validator)
    }
  },
  listHistoricalPrimaryNetworkRewards: async (network, same) => {
    const rewards = await rewardsOf(network, '/rewards', 'historicalRewards', same)
    const txs = await transactionsById(network)
    const isPrimary = ({ subnetId = PRIMARY }: Body) => subnetId === PRIMARY
    // The list has no rewards of other subnets.
    const makers = [...txs.values()].filter((tx) => isPrimary(txs.get(tx.stakingTxHash) ?? tx))
    const emitted = makers.flatMap(({ emittedUtxos }) => emittedUtxos)
    const paid = byKey(emitted.filter(isReward), 'utxoId')
    same('all', rewards.map(({ utxoId }) => utxoId).toSorted(), [...paid.keys()].toSorted())
    for (const { reward, ...one } of rewards) {
      same(one.utxoId, pick(one, 'outputIndex', 'addresses', 'rewardType'), paid.get(one.utxoId))
      same(one.utxoId, reward, paid.get(one.utxoId)?.asset)
    }
    for (const one of [...(await validators(network)), ...(await delegators(network))])
      if (isPrimary(one) && (one.rewards ?? one.netReward) !== undefined) comparePaid(one, rewards, same)
  },
  listPendingPrimaryNetworkRewards: async (network, same) => {
    const rewards = await rewardsOf(network, '/rewards:listPending', 'pendingRewards', same)
    const expected = [...(await validators(network)), ...(await delegators(network))]
      .filter((one) => isActive(one) && (one.subnetId ?? PRIMARY) === PRIMARY)
      .flatMap((one) => {
        const { validationRewardAmount: own, delegationRewardAmount: fee } = one.potentialRewards ?? {}
        const amounts = { VALIDATOR: own, VALIDATOR_FEE: fee, DELEGATOR: one.estimatedNetReward }
        return Object.entries(amounts).flatMap(([rewardType, amount]) =>
          amount === undefined || amount === '0' ? [] : [{ ...stakeIn(one), rewardType, amount }],
        )
      })
    const found = rewards.map((one) => ({
      ...{ ...stakeIn(one), rewardType: one.rewardType, amount: one.estimatedReward.amount },
    }))
    same('all', sorted(found), sorted(expected))
  },
  listActivePrimaryNetworkStakingTransactions: async (network, same) => {
    const path = '/blockchains/p-chain/transactions:listStaking'
    const found = await list(network, path, 'transactions')
    const txs = await transactionsById(network)
    for (const tx of found) same(tx.txHash, tx, txs.get(tx.txHash))
    const current = [...(await validators(network)), ...(await delegators(network))].filter(
      (one) => isActive(one) || (one.validationStatus ?? one.delegationStatus) === 'pending',
    )
    // Delegators of other subnets are in no other list.
    const others = found.filter(({ txType, subnetId }) => /Delegator/.test(txType) && subnetId !== PRIMARY)
    same('all', hashes(found).toSorted(), [...hashes(current), ...hashes(others)].toSorted())
    for (const owner of unique(found.flatMap(({ rewardAddresses = [] }) => rewardAddresses))) {
      const own = await list(network, `/blockchains/p-chain/transactions?addresses=${owner}`, 'transactions')
      const expected = own.filter(({ txHash }) => hashes(found).includes(txHash))
      same(owner, await list(network, `${path}?addresses=${owner}`, 'transactions'), expected)
    }
  },
  getNetworkDetails: async (network, same) => {
    const isPrimary = ({ subnetId }: Body) => subnetId === PRIMARY
    const own = (await validators(network)).filter((one) => isActive(one) && isPrimary(one))
    const delegated = (await delegators(network)).filter(isActive)
    const gross = [
      ...own.map(({ potentialRewards }) => potentialRewards.validationRewardAmount),
      ...delegated.map(({ estimatedGrossReward }) => estimatedGrossReward),
    ]
    same('details', await one(network, ''), {
      validatorDetails: {
        validatorCount: own.length,
        totalAmountStaked: total(own, weightOf),
        estimatedAnnualStakingReward: total(gross, (amount) => amount),
      },
      delegatorDetails: { delegatorCount: delegated.length, totalAmountStaked: total(delegated, weightOf) },
    })
  },
  getStakingMetrics: async (network, same) => {
    const active = (await validators(network)).filter(isActive)
    const delegated = (await delegators(network)).filter(isActive)
    const ids = unique(active.map(({ subnetId }) => subnetId))
    const pointsOf = (metric: string, query = '') =>
      network.all(`/v2/networks/${network.network}/metrics/${metric}${query}`, 'results')
    for (const [metric, role, measure] of METRICS) {
      const each = await Promise.all(ids.map((id) => pointsOf(metric, `?subnetId=${id}`)))
      for (const [i, subnetId] of ids.entries()) {
        const own = role === 'validator' ? active.filter((one) => one.subnetId === subnetId) : delegated
        if (role === 'validator' || subnetId === PRIMARY)
          same(`${metric} ${subnetId}`, each[i]?.[0]?.value, measure(own))
      }
      const all = await pointsOf(metric)
      // Subnets that have no validators now are not asked.
      same(
        metric,
        all[0]?.value,
        each.reduce((sum, [now]) => sum + (now?.value ?? 0), 0),
      )
    }
  },
  getValidatorsByDateRange: async (network, same) => {
    const txs = await transactionsById(network)
    for (const [subnetId, all] of Map.groupBy(await validators(network), (one) => one.subnetId)) {
      const expected = all.flatMap(({ txHash, startTimestamp }) => {
        const { rewardAddresses: addresses } = txs.get(txHash)
        return addresses === undefined ? [] : [{ addresses, sortKey: String(startTimestamp) }]
      })
      const path = `/v2/subnets/${subnetId}/validators:getAddresses`
      same(subnetId, await network.all(path, 'addresses'), expected)
    }
  },
}

/** Metrics of stakers: the stakers, and the value that follows from the stakers of a list. */
const METRICS = [
  ['validatorCount', 'validator', (stakers: readonly Body[]) => stakers.length],
  ['validatorWeight', 'validator', (stakers: readonly Body[]) => Number(total(stakers, weightOf))],
  ['delegatorCount', 'delegator', (stakers: readonly Body[]) => stakers.length],
  ['delegatorWeight', 'delegator', (stakers: readonly Body[]) => Number(total(stakers, weightOf))],
] as const

function weightOf({ amountStaked, amountDelegated, delegationStatus }: Body): string {
  return delegationStatus === undefined ? amountStaked : amountDelegated
}
const counted = (delegated: readonly Body[]) => ({
  delegatorCount: delegated.length,
  amountDelegated: total(delegated, weightOf),
})
const isWithin = (inner: Body, outer: Body) =>
  inner.startTimestamp >= outer.startTimestamp && inner.endTimestamp <= outer.endTimestamp
const stakeIn = (one: Body) => ({
  ...pick(one, 'txHash', 'nodeId', 'startTimestamp', 'endTimestamp'),
  amountStaked: weightOf(one),
})
const sorted = (bodies: readonly Body[]) => bodies.map((body) => JSON.stringify(body)).toSorted()

/** Compares what a former staker received with the list of paid rewards. */
function comparePaid(one: Body, rewards: readonly Body[], same: Same): void {
  const { txHash, endTimestamp, netReward } = one
  const own = rewards.filter((reward) => reward.txHash === txHash && reward.endTimestamp === endTimestamp)
  const [fees, others] = [own.filter(isFee), own.filter((reward) => !isFee(reward))]
  const amountOf = (some: readonly Body[]) => total(some, ({ reward }) => reward.amount)
  // Before Cortina, a delegator's reward was paid together with the commission of the validator.
  if (netReward !== undefined) same(txHash, amountOf(others), netReward)
  else {
    const { validationRewardAmount, delegationRewardAmount, rewardTxHash } = one.rewards
    same(txHash, [amountOf(others), amountOf(fees)], [validationRewardAmount, delegationRewardAmount])
    for (const reward of own) same(txHash, reward.rewardTxHash, rewardTxHash)
  }
  for (const reward of own) same(txHash, stakeIn(reward), stakeIn(one))
}

const isReward = ({ rewardType }: Body) => rewardType !== undefined
const isFee = ({ rewardType }: Body) => rewardType === 'VALIDATOR_FEE'

/** Returns the rewards of all nodes, and compares them with those by node and by address. */
async function rewardsOf(
  network: Network,
  path: string,
  member: string,
  same: Same,
): Promise<readonly Body[]> {
  const nodeIds = await nodes(network)
  const all = await list(network, `${path}?nodeIds=${nodeIds.slice(0, 64).join()}`, member)
  for (const nodeId of nodeIds) {
    const expected = all.filter((one) => one.nodeId === nodeId)
    same(nodeId, await list(network, `${path}?nodeIds=${nodeId}`, member), expected)
  }
  for (const address of unique(all.flatMap(({ addresses }) => addresses))) {
    const expected = all.filter(({ addresses }) => addresses.includes(address))
    same(address, await list(network, `${path}?addresses=${address}`, member), expected)
  }
  return all
}
