/**
 * The place of a token's picture. Pictures of tokens are on servers of strangers, which would learn who looks at them,
 * so the console requests none of them, and shows the address of the picture as text.
 */
export function Picture({ isLarge = false }: { readonly isLarge?: boolean }) {
  return (
    <span class={isLarge ? 'picture picture-large' : 'picture'} aria-hidden="true">
      NFT
    </span>
  )
}
