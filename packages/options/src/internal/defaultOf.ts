import type { Option } from '../Option.ts'

/** Returns the text of an option's default, or undefined without one. */
export function defaultOf({ type, default: value, defaultText }: Option<unknown>): string | undefined {
  if (defaultText !== undefined) return defaultText
  if (value === undefined || value === '') return undefined
  return (type as { format(value: unknown): string }).format(value)
}
