import { Json } from '@firn/codec'
import { Networks, SubnetEvmGenesis, Upgrades } from '@firn/genesis'
import * as Case from '../Case.ts'
import * as Suite from '../Suite.ts'

/** Checks the genesis of subnet-evm chains: verdict, block 0, and the config with default values. */
export const subnetEvmGenesis = Suite.create('subnet-evm-genesis.json', {
  subnetEvmGenesis(it) {
    // The vectors are from a release that did not schedule Helicon yet.
    const upgrades = { ...Networks.of(Case.number(it, 'networkID')).upgrades, helicon: Upgrades.UNSCHEDULED }
    const text = Case.text(it, 'genesis')
    const parsed = Case.verdict(it, () => SubnetEvmGenesis.parse(text, upgrades))
    if (parsed === undefined) return undefined
    const block = SubnetEvmGenesis.firstBlock(parsed.value)
    Case.equals(it, 'stateRoot', block.stateRoot)
    Case.equals(it, 'headerRLP', block.header)
    Case.equals(it, 'blockHash', block.hash)
    Case.equals(it, 'baseFee', block.baseFee)
    Case.equals(it, 'chainConfigJSON', Json.stringify(SubnetEvmGenesis.configJSON(parsed.value)))
    return undefined
  },
})
