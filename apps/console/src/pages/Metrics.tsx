import type { ChainInfo } from '@firn/client'
import { MetricPanel } from '../components/evm/MetricPanel.tsx'
import { chainTitle } from '../components/evm/OnChain.tsx'
import { SelectField } from '../components/evm/SelectField.tsx'
import { Loadable } from '../components/Loadable.tsx'
import { Empty } from '../components/Loading.tsx'
import { PageHead } from '../components/PageHead.tsx'
import type { PageProps } from '../PageModule.ts'
import { link, type Query } from '../Routes.ts'
import { useData } from '../state/Session.ts'
import { useLoaded } from '../state/useLoaded.ts'

/** All metrics of EVM chains, for one chain or for two in comparison. */
export function Page({ query }: PageProps) {
  const { evm } = useData()
  const loaded = useLoaded(async (signal) => (await evm.supportedChains({}, { signal })).chains, [])
  return (
    <>
      <PageHead title="Metrics">Activity, gas and fees of EVM chains over time.</PageHead>
      <Loadable loaded={loaded} what="the chains">
        {(chains) => <Content chains={chains} query={query} />}
      </Loadable>
    </>
  )
}

const NONE = 'none'

function Content({ chains, query }: { readonly chains: readonly ChainInfo[]; readonly query: Query }) {
  const find = (chainId: string | undefined) => chains.find((chain) => chain.chainId === chainId)
  const chain = find(query['chain']) ?? chains[0]
  const other = find(query['other'])
  if (chain === undefined) return <Empty>This service serves no EVM chain.</Empty>
  const change = (changed: Query) => {
    location.hash = link('metrics', {}, { ...query, ...changed })
  }
  const names = Object.fromEntries(chains.map((one) => [one.chainId, chainTitle(one)]))
  const { [chain.chainId]: _, ...others } = names
  return (
    <MetricPanel
      chains={other === undefined || other === chain ? [chain] : [chain, other]}
      query={query}
      toHref={(changed) => link('metrics', {}, changed)}
      tools={
        <>
          <SelectField
            label="Chain"
            value={chain.chainId}
            options={names}
            onChange={(one) => change({ chain: one })}
          />
          {chains.length > 1 && (
            <SelectField
              label="Compare with"
              value={other === undefined || other === chain ? NONE : other.chainId}
              options={{ [NONE]: 'No chain', ...others }}
              onChange={(one) => change({ other: one === NONE ? undefined : one })}
            />
          )}
        </>
      }
    />
  )
}
