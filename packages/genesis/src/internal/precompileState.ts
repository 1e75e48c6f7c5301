import type { EvmGenesis } from '../evm/EvmGenesis.ts'
import * as FeeConfig from '../evm/FeeConfig.ts'
import * as Precompile from '../evm/Precompile.ts'
import type { SubnetEvmConfig } from '../evm/SubnetEvmConfig.ts'
import * as Block from './evmBlock.ts'
import * as State from './state.ts'

/** Storage values of the roles, in the order in which they are written. */
const ROLES = [
  ['enabledAddresses', 1n],
  ['adminAddresses', 2n],
  ['managerAddresses', 3n],
] as const

/** Storage slot for the number of the block that last changed the fee configuration. */
const LAST_CHANGED = slotOf('lca')
const REWARD_ADDRESS = slotOf('rask')
/** Value that is stored instead of a reward address when fee recipients are allowed. */
const FEE_RECIPIENTS = slotOf('afrav')
/** Value that is stored instead of a reward address when fees are burned: the address `0x0100…00`. */
const BLACKHOLE = State.addressWord(Uint8Array.from({ length: 20 }, (_, i) => (i === 0 ? 1 : 0)))

/** Adds the initial storage of the precompiles that are active at the genesis to a state. */
export function applyPrecompiles(state: State.State, genesis: EvmGenesis, config: SubnetEvmConfig): void {
  for (const precompile of config.precompiles) {
    const { key, blockTimestamp, disable, allowList } = precompile
    if (blockTimestamp === undefined || blockTimestamp > genesis.timestamp || disable) continue
    const account = Block.activate(state, Precompile.addressOf(key))
    if (key === 'contractNativeMinterConfig') mint(state, precompile)
    if (key === 'feeManagerConfig') storeFees(account, precompile, genesis, config)
    if (key === 'rewardManagerConfig') State.store(account, REWARD_ADDRESS, rewardOf(precompile, config))
    for (const [list, role] of ROLES) {
      for (const address of allowList[list])
        State.store(account, State.addressWord(address), State.word(role))
    }
  }
}

function mint(state: State.State, { initialMint = [] }: Precompile.Precompile): void {
  for (const { address, amount } of initialMint) State.account(state, address).balance += amount ?? 0n
}

function storeFees(
  account: State.Account,
  { initialFeeConfig }: Precompile.Precompile,
  { number }: EvmGenesis,
  { feeConfig }: SubnetEvmConfig,
): void {
  const fees = initialFeeConfig ?? feeConfig
  FeeConfig.assertValid(fees)
  FeeConfig.NAMES.forEach((name, i) => {
    State.store(account, slotOf(String.fromCharCode(i + 1)), State.word(fees[name]))
  })
  State.store(account, LAST_CHANGED, State.word(number))
}

function rewardOf({ initialRewardConfig }: Precompile.Precompile, config: SubnetEvmConfig): Uint8Array {
  const { allowFeeRecipients, rewardAddress } = initialRewardConfig ?? { ...config, rewardAddress: undefined }
  if (allowFeeRecipients) return FEE_RECIPIENTS
  return rewardAddress?.some((byte) => byte !== 0) ? State.addressWord(rewardAddress) : BLACKHOLE
}

/** Returns the storage slot of a name: its ASCII bytes, padded with zeros. */
function slotOf(name: string): Uint8Array {
  const slot = new Uint8Array(32)
  slot.set(new TextEncoder().encode(name))
  return slot
}
