/** Says that something is being loaded. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what} …
    </p>
  )
}

/** Says that a list has no entries. */
export function Empty({ children }: { readonly children: string }) {
  return <p class="empty">{children}</p>
}
