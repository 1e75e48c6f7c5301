import type { ErcToken } from '@firn/client'
import { AddressLink, TokenLink } from '../../components/evm/Links.tsx'
import { NftHolders } from '../../components/evm/NftHolders.tsx'
import { OnChain } from '../../components/evm/OnChain.tsx'
import { Picture } from '../../components/evm/Picture.tsx'
import { type Transfer, TransferTable, toTransfer } from '../../components/evm/Transfers.tsx'
import { type Fact, Facts } from '../../components/Facts.tsx'
import { Id } from '../../components/Id.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Raw } from '../../components/Raw.tsx'
import { Time } from '../../components/Time.tsx'
import { clean } from '../../format/ChainText.ts'
import type { PageProps } from '../../PageModule.ts'
import { useData } from '../../state/Session.ts'
import { useLoaded } from '../../state/useLoaded.ts'
import { rowsOf, usePages } from '../../state/usePages.ts'

/** A token of an ERC-721 or ERC-1155 contract. */
export function Page({ parameters: { chainId: given = '', address = '', tokenId = '' } }: PageProps) {
  return (
    <OnChain chainId={given}>
      {({ chainId }) => <Content chainId={chainId} address={address} tokenId={tokenId} />}
    </OnChain>
  )
}

const PAGE_SIZE = 50

interface TokenProps {
  readonly chainId: string
  readonly address: string
  readonly tokenId: string
}

function Content(parameters: TokenProps) {
  const { evm } = useData()
  const { chainId, address, tokenId } = parameters
  const loaded = useLoaded(
    (signal) => evm.getTokenDetails(parameters, { signal }),
    [chainId, address, tokenId],
  )
  const name = loaded.value?.metadata.name ?? ''
  return (
    <>
      <PageHead
        kind={`${loaded.value?.ercType ?? 'Token'} on EVM chain ${chainId}`}
        title={name === '' ? `Token #${tokenId}` : <bdi>{clean(name)}</bdi>}
      />
      <Loadable loaded={loaded} what="the token">
        {(token) => (
          <>
            <Panel title="About">
              <Picture chainId={chainId} token={token} isLarge />
              <Facts facts={factsOf(token, chainId)} />
            </Panel>
            <Properties token={token} />
            {token.ercType === 'ERC-1155' && (
              <Panel title="Holders">
                <NftHolders {...parameters} />
              </Panel>
            )}
            <Panel title="Transfers">
              <TokenTransfers {...parameters} />
            </Panel>
          </>
        )}
      </Loadable>
    </>
  )
}

function TokenTransfers(parameters: TokenProps) {
  const { evm } = useData()
  const { chainId, address, tokenId } = parameters
  const list = usePages<Transfer>(
    (signal) =>
      rowsOf(
        evm.listNftTransfers.pages({ ...parameters, pageSize: PAGE_SIZE }, { signal }),
        ({ transfers }) => transfers.map(toTransfer),
      ),
    [chainId, address, tokenId],
  )
  return <TransferTable name={`Transfers of ${address} ${tokenId}`} chainId={chainId} list={list} hasPlaces />
}

function factsOf(token: ErcToken, chainId: string): readonly Fact[] {
  const { address, tokenId, tokenUri, metadata } = token
  const isSingle = token.ercType === 'ERC-721'
  const contract = isSingle ? { address, symbol: token.symbol, name: token.name } : { address }
  const owner = isSingle ? token.ownerAddress : undefined
  return [
    ['Contract', <TokenLink chainId={chainId} token={contract} />],
    ['Token id', <Id id={tokenId} isWhole />],
    ['Owner', owner && <AddressLink chainId={chainId} of={{ address: owner }} isWhole />],
    ['Description', text(metadata.description)],
    ['Metadata', metadata.indexStatus],
    [
      'Metadata read',
      metadata.metadataLastUpdatedTimestamp !== undefined && (
        <Time at={metadata.metadataLastUpdatedTimestamp} withDistance />
      ),
    ],
    ['Address of the metadata', text(tokenUri)],
    ['Address of the picture', text(metadata.imageUri)],
    ['Address of the animation', text(metadata.animationUri)],
    ['Page', text(metadata.externalUrl)],
  ]
}

const MOST_CHARACTERS = 400

/** Shows a text of a stranger as text. It never becomes a link. */
function text(value: string | undefined) {
  if (value === undefined || value === '') return undefined
  return <bdi>{clean(value, MOST_CHARACTERS)}</bdi>
}

function Properties({ token }: { readonly token: ErcToken }) {
  const { metadata } = token
  const json =
    'attributes' in metadata ? metadata.attributes : (metadata as { properties?: string }).properties
  if (json === undefined || json === '') return null
  return (
    <Panel title="Properties">
      <Raw name="Properties as JSON" text={indent(json)} />
    </Panel>
  )
}

function indent(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2)
  } catch {
    return json
  }
}
