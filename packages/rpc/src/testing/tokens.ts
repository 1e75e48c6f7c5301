import { NumberToken } from '../internal/schema.ts'

/** Parses JSON text like a server does: numbers become {@link NumberToken}s. */
export function tokens(text: string): unknown {
  const revive = (_key: string, value: unknown, { source }: { readonly source: string }) =>
    typeof value === 'number' ? new NumberToken(source) : value
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown)
}
