import type { ErcToken } from '@firn/client'
import { useState } from 'preact/hooks'
import { clean } from '../../format/ChainText.ts'
import { useSession } from '../../state/Session.ts'

/**
 * The picture of a token, or its place. The original is on a server of strangers, which would learn who looks at it, so
 * only the copy is shown that the indexer has checked and that this service stores.
 */
export function Picture({
  chainId,
  token: { address, tokenId, metadata },
  isLarge = false,
}: {
  readonly chainId: string
  readonly token: ErcToken
  readonly isLarge?: boolean
}) {
  const url = useCopy(chainId, metadata.imageHash)
  const [failed, setFailed] = useState<string>()
  const classes = isLarge ? 'picture picture-large' : 'picture'
  if (url === undefined || failed === url) {
    return (
      <span class={classes} aria-hidden="true">
        NFT
      </span>
    )
  }
  const name = clean(metadata.name ?? '').trim()
  return (
    <img
      key={`${address} ${tokenId}`}
      class={classes}
      src={url}
      alt={name === '' ? `Picture of token #${clean(tokenId)}` : `Picture of ${name}`}
      loading={isLarge ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => setFailed(url)}
    />
  )
}

/**
 * Returns the URL of a copy, or undefined if there is none. The content security policy allows pictures of the service
 * that serves the console only.
 */
function useCopy(chainId: string, hash: string | undefined): string | undefined {
  const { url = '' } = useSession().api('data') ?? {}
  if (hash === undefined || !URL.canParse(url) || new URL(url).origin !== location.origin) return undefined
  return `${url}/v1/chains/${encodeURIComponent(chainId)}/nfts/images/${encodeURIComponent(hash)}`
}
