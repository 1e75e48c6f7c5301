/** Quotes `text` for an error message and cuts it at 64 characters. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text)
}
