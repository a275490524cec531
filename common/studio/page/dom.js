// dom.js - elements in few words: el('p.small', {title: 'x'}, 'text', child).
export function el(name, ...rest) {
    const [tag, ...classes] = name.split('.');
    const e = document.createElement(tag);
    if (classes.length) e.className = classes.join(' ');
    for (const one of rest.flat(Infinity)) {
        if (one === null || one === undefined || one === false || one === '') continue;
        if (one instanceof Node) e.append(one);
        else if (typeof one === 'object') set(e, one);
        else e.append(String(one));
    }
    return e;
}

function set(e, values) {
    for (const [key, value] of Object.entries(values)) {
        if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
        else if (key.startsWith('--')) e.style.setProperty(key, value);
        else if (value === true) e.setAttribute(key, '');
        else if (value !== false && value !== null && value !== undefined) e.setAttribute(key, value);
    }
}

export const at = id => document.getElementById(id);

export function fill(parent, ...children) { parent.replaceChildren(...children.flat(Infinity).filter(x => x || x === 0)); }

// Text with `code` and **stress** in it.
export function words(text) {
    return text.split(/(`[^`\n]*`|\*\*[^*\n]+\*\*)/).map(part => part.startsWith('`') && part.length > 1 ? el('code', part.slice(1, -1))
        : part.startsWith('**') && part.length > 4 ? el('strong', part.slice(2, -2)) : part);
}

// A picture drawn by the C program, as SVG text. Only elements and attributes of pictures are taken over.
export function svg(text) {
    const doc = new DOMParser().parseFromString(text, 'image/svg+xml'), root = doc.documentElement;
    if (root.nodeName !== 'svg') return el('p.small', 'The picture cannot be shown.');
    for (const e of root.querySelectorAll('*')) {
        if (!['svg', 'g', 'rect', 'text', 'tspan', 'line', 'path', 'polyline', 'circle', 'title'].includes(e.nodeName)) e.remove();
        for (const a of [...e.attributes]) if (/^on|href$/i.test(a.name)) e.removeAttribute(a.name);
    }
    return document.importNode(root, true);
}

// Hand a text to the browser as a file to keep.
export function download(name, text, type) {
    const link = el('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A number as people read it: 1 234 567, 0.0141, 27.1.
export function number(v) {
    if (v === null || v === undefined) return '-';
    if (Number.isInteger(v)) return v.toLocaleString('en').replaceAll(',', '\u202f');
    return Number(v.toPrecision(3)).toString();
}
