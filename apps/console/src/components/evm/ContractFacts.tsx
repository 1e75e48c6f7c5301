import type { Contract } from '@firn/client'
import { clean } from '../../format/ChainText.ts'
import type { Fact } from '../Facts.tsx'
import { AddressLink, TxLink } from './Links.tsx'

/** Returns the facts about a contract: its token, its creator, and what it runs if it is a proxy. */
export function contractFacts(contract: Contract, chainId: string): readonly Fact[] {
  const { name = '', symbol = '', ercType, deploymentDetails: created, proxy, spamReasons = [] } = contract
  const address = (one: string | undefined) =>
    one && <AddressLink chainId={chainId} of={{ address: one }} isWhole />
  return [
    ['Name', name !== '' && <bdi>{clean(name)}</bdi>],
    ['Symbol', symbol !== '' && <bdi>{clean(symbol)}</bdi>],
    ['Standard', ercType === 'UNKNOWN' ? 'none known' : ercType],
    ['Hints of spam', spamReasons.length > 0 && spamReasons.join(', ')],
    ['Decimals', ercType === 'ERC-20' && String(contract.decimals)],
    ['Proxy', proxy?.kind],
    ['Implementation', address(proxy?.implementation)],
    ['Beacon', address(proxy?.beacon)],
    ['Created by', address(created?.deployerAddress)],
    ['Created by contract', address(created?.deployerContractAddress)],
    ['Created in', created && <TxLink chainId={chainId} hash={created.txHash} />],
  ]
}
