import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const HREF = /<a\b[^>]*?\bhref="([^"]*)"/g
const ID = /\bid="([^"]+)"/g
const decode = (text: string): string =>
  decodeURIComponent(text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"'))

/** Outcome of a check: the number of checked links, and a sentence for each broken one. */
export interface Outcome {
  readonly links: number
  readonly broken: readonly string[]
}

/**
 * Checks the links between the pages of a built site: the linked file must exist, and so must the heading that a link
 * names. `folder` contains the site, and `base` is the path at which it is served, such as `/` or `/docs/`.
 */
export function check(folder: string, base: string): Outcome {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.html'))
  const texts = new Map(pages.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
  const ids = new Map(
    [...texts].map(([path, text]) => [
      path,
      new Set([...text.matchAll(ID)].map(([, id = '']) => decode(id))),
    ]),
  )
  const broken = new Set<string>()
  let links = 0
  for (const [page, text] of texts)
    for (const [, raw = ''] of text.matchAll(HREF)) {
      if (/^(\w+:|\/\/)/.test(raw)) continue
      links += 1
      const [path = '', anchor] = decode(raw).split('#')
      if (path.startsWith('/') && !path.startsWith(base)) {
        broken.add(`${page} links to ${path}, which is outside of ${base}`)
        continue
      }
      const joined = path.startsWith('/') ? path.slice(base.length) : posix.join(posix.dirname(page), path)
      const target =
        path === '' ? page : joined === '' || /(^|\/)$/.test(joined) ? `${joined}index.html` : joined
      if (!texts.has(target) && !existsSync(join(folder, target)))
        broken.add(`${page} links to ${path}, which does not exist`)
      else if (anchor && ids.get(target)?.has(anchor) === false)
        broken.add(`${page} links to ${path}#${anchor}, but there is no such heading`)
    }
  return { links, broken: [...broken] }
}
