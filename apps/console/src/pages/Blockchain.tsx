import { Facts } from '../components/Facts.tsx'
import { Id } from '../components/Id.tsx'
import { LabelField } from '../components/LabelField.tsx'
import { Loadable } from '../components/Loadable.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { SubnetId } from '../components/Primary.tsx'
import { Time } from '../components/Time.tsx'
import type { PageProps } from '../PageModule.ts'
import { usePrimary } from '../state/Session.ts'
import { useLoaded } from '../state/useLoaded.ts'

/** A blockchain with its genesis. */
export function Page({ parameters: { blockchainId = '' } }: PageProps) {
  const { primary, network } = usePrimary()
  const loaded = useLoaded(
    (signal) => primary.getBlockchainById({ network, blockchainId }, { signal }),
    [network, blockchainId],
  )
  return (
    <>
      <PageHead
        kind="Blockchain"
        title={<Id id={blockchainId} isWhole />}
        actions={<LabelField id={blockchainId} />}
      />
      <Loadable loaded={loaded} what="the blockchain">
        {(chain) => (
          <>
            <Panel title="About">
              <Facts
                facts={[
                  ['Name', chain.blockchainName],
                  ['Subnet', <SubnetId id={chain.subnetId} />],
                  ['Virtual machine', <Id id={chain.vmId} isWhole />],
                  ['EVM chain id', chain.evmChainId === 0 ? undefined : chain.evmChainId],
                  ['Created', <Time at={chain.createBlockTimestamp} withDistance />],
                  ['P-chain block', chain.createBlockNumber],
                ]}
              />
            </Panel>
            {chain.genesisData !== undefined && (
              <Panel title="Genesis">
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll the focused text */}
                <pre class="raw" tabIndex={0}>
                  {textOf(chain.genesisData)}
                </pre>
              </Panel>
            )}
          </>
        )}
      </Loadable>
    </>
  )
}

function textOf(genesis: unknown): string {
  return typeof genesis === 'string' ? genesis : JSON.stringify(genesis, null, 2)
}
