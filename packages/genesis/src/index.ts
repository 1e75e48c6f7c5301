/**
 * Genesis of the Avalanche network and of EVM chains, with conversions between JSON and bytes, and the
 * constants of each network.
 *
 * @packageDocumentation
 */
export * as CChainGenesis from './evm/CChainGenesis.ts'
export * as EvmGenesis from './evm/EvmGenesis.ts'
export * as FeeConfig from './evm/FeeConfig.ts'
export * as GenesisData from './evm/GenesisData.ts'
export * as Precompile from './evm/Precompile.ts'
export * as SubnetEvmConfig from './evm/SubnetEvmConfig.ts'
export * as SubnetEvmGenesis from './evm/SubnetEvmGenesis.ts'
export * as Genesis from './Genesis.ts'
export * as GenesisConfig from './GenesisConfig.ts'
export { GenesisError, type GenesisErrorCode } from './GenesisError.ts'
export * as InitialRewards from './InitialRewards.ts'
export * as Networks from './Networks.ts'
export * as PlatformBuilder from './PlatformBuilder.ts'
export * as PlatformGenesis from './PlatformGenesis.ts'
export * as Rewards from './Rewards.ts'
export * as Upgrades from './Upgrades.ts'
export * as Validation from './Validation.ts'
export * as Vm from './Vm.ts'
export * as XChainGenesis from './XChainGenesis.ts'
