import { posix } from 'node:path'

/** Applies `change` to the parts of a Markdown text that are outside of fenced blocks. */
const outsideFences = (text: string, change: (part: string) => string): string => {
  const parts: string[] = []
  let [fence, lines]: [string | undefined, string[]] = [undefined, []]
  const end = () => {
    if (lines.length > 0) parts.push(fence === undefined ? change(lines.join('\n')) : lines.join('\n'))
    lines = []
  }
  for (const line of text.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && fence === undefined) {
      end()
      fence = mark
      lines.push(line)
    } else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) {
      lines.push(line)
      end()
      fence = undefined
    } else lines.push(line)
  }
  end()
  return parts.join('\n')
}

/** Applies `change` to the parts of a text that are not inline code. Inline code ends at the end of its line. */
const outsideCode = (text: string, change: (part: string) => string): string =>
  text
    .split(/(`+[^`\n]*`+)/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')

/**
 * Returns a Markdown text in which `<` and `{{` outside of code are plain characters, and comments are removed. Markdown
 * files of a repository are not templates, but the site compiles its pages as such. Anchors, which TypeDoc writes, are
 * kept.
 */
export const withoutTemplates = (text: string): string =>
  outsideFences(text.replaceAll(/^<!--.*?-->\n?/gms, ''), (outside) =>
    outsideCode(outside, (part) =>
      part.replaceAll(/(?<!\\)<(?!a id="|\/a>)/g, '&lt;').replaceAll('{{', '&#123;&#123;'),
    ),
  )

/** Resolves the target of a link. Returns undefined to keep only the text of the link. */
export type Resolve = (target: string) => string | undefined

/** Returns the index of the bracket that opens the label whose closing bracket is at `end`. */
const labelStart = (text: string, end: number): number => {
  let depth = 0
  for (let index = end; index >= 0; index--) {
    if (text[index] === ']') depth += 1
    else if (text[index] === '[') depth -= 1
    if (depth === 0) return index
  }
  return 0
}

/** Returns a Markdown text with the target of each link resolved. Links to other sites stay as they are. */
export const rewriteLinks = (text: string, resolve: Resolve): string =>
  outsideFences(text, (outside) => {
    let [done, last] = ['', 0]
    for (const found of outside.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)) {
      const [whole, target = ''] = found
      const start = labelStart(outside, found.index)
      const label = outside.slice(start + 1, found.index)
      const resolved = resolve(target)
      done += outside.slice(last, start) + (resolved === undefined ? label : `[${label}](${resolved})`)
      last = found.index + whole.length
    }
    return done + outside.slice(last)
  })

/**
 * Returns a resolver for the links of a file of the repository: to the page of the linked file or, if the file has no
 * page, to nothing. `pages` maps files of the repository to pages.
 */
export const toPages =
  (file: string, page: string, pages: ReadonlyMap<string, string>): Resolve =>
  (target) => {
    const [path = '', anchor] = target.split('#')
    const fragment = anchor === undefined ? '' : `#${anchor}`
    if (path === '') return fragment
    const linked = pages.get(posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, ''))
    if (linked === undefined) return undefined
    return relativeLink(page, linked) + fragment
  }

/** Returns the link from one page to another, such as `../guides/node.md`. */
export const relativeLink = (from: string, to: string): string => {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

/** Returns the anchor of a heading, as GitHub writes it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** Returns the anchors of a Markdown text: explicit anchors and the anchors of headings, numbered if they repeat. */
export const anchorsOf = (text: string): ReadonlySet<string> => {
  const found = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id))
  outsideFences(text, (outside) => {
    for (const [, heading = ''] of outside.matchAll(/^#+ (.+)$/gm)) {
      const anchor = anchorOf(heading)
      let [unique, count] = [anchor, 1]
      while (found.has(unique)) unique = `${anchor}-${count++}`
      found.add(unique)
    }
    return outside
  })
  return found
}
