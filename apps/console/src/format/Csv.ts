/** Converts rows to CSV as in RFC 4180. */
export function format(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('')
}

/**
 * Quotes a field. Spreadsheets run text that begins like a formula, and names on a chain are chosen by strangers, so
 * such text gets an apostrophe in front. Numbers stay numbers.
 */
function field(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text)
  const safe = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Lets the browser download a text as a file. */
export function download(name: string, text: string, type = 'text/csv'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  // The browser reads the file after the click returns.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
