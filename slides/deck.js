// One slide at a time. Without this script a deck is one long page, and all of it can be read.
"use strict";
(() => {
    const root = document.documentElement;
    const slides = [...document.querySelectorAll("section")];
    const keys = [
        ["\u2192 \u2193 space", "next slide"],
        ["\u2190 \u2191", "slide before"],
        ["Home End", "first, last slide"],
        ["o", "all slides on one page, and back"],
        ["i", "list of decks"],
        ["?", "these keys"],
    ];
    let at = 0;

    const footer = document.createElement("footer");
    footer.innerHTML =
        '<span></span><button data-key="ArrowLeft" aria-label="slide before">\u2190</button><output></output>' +
        '<button data-key="ArrowRight" aria-label="next slide">\u2192</button><button data-key="?">? keys</button>';
    const help = document.createElement("dialog");
    help.innerHTML = "<table>" + keys.map(([key, does]) =>
        `<tr><td>${key.split(" ").map(k => `<kbd>${k}</kbd>`).join(" ")}</td><td>${does}</td></tr>`).join("") + "</table>";
    document.body.append(footer, help);
    help.addEventListener("click", () => help.close());

    const paged = () => root.classList.contains("paged");

    // The largest type in which the slide needs no scrolling, down to what can still be read.
    function fit(slide) {
        let size = Math.min(26, Math.max(17, innerWidth / 56));
        do
            root.style.setProperty("--fit", size + "px");
        while (slide.scrollHeight > slide.clientHeight && (size -= 0.5) >= 13);
        for (const code of slide.querySelectorAll("pre")) {
            let em = 0.8;
            do
                code.style.fontSize = em + "em";
            while (code.scrollWidth > code.clientWidth && (em -= 0.02) >= 0.6);
        }
    }
    function show(n) {
        slides[at].classList.remove("shown");
        at = Math.max(0, Math.min(slides.length - 1, n));
        slides[at].classList.add("shown");
        footer.querySelector("span").textContent = document.title;
        footer.querySelector("output").textContent = `${at + 1} / ${slides.length}`;
        footer.style.setProperty("--progress", 100 * (at + 1) / slides.length + "%");
        history.replaceState(null, "", "#" + (at + 1));
        if (paged()) {
            fit(slides[at]);
            slides[at].scrollTop = 0;
        } else {
            slides[at].scrollIntoView();
        }
    }
    function from_address() {
        return (parseInt(location.hash.slice(1), 10) || 1) - 1;
    }
    // The slide that one is reading on the long page.
    function in_view() {
        return Math.max(0, slides.findLastIndex(s => s.getBoundingClientRect().top < innerHeight / 3));
    }
    function press(key) {
        switch (key) {
        case "o": {
            const here = paged() ? at : in_view();
            root.classList.toggle("paged");
            show(here);
            return true;
        }
        case "i": location.href = "index.html"; return true;
        case "?": help.open ? help.close() : help.showModal(); return true;
        }
        if (!paged())
            return false;
        switch (key) {
        case "ArrowRight": case "ArrowDown": case "PageDown": case " ": show(at + 1); return true;
        case "ArrowLeft": case "ArrowUp": case "PageUp": case "Backspace": show(at - 1); return true;
        case "Home": show(0); return true;
        case "End": show(slides.length - 1); return true;
        }
        return false;
    }
    addEventListener("keydown", e => {
        if (!e.ctrlKey && !e.metaKey && !e.altKey && !help.open && press(e.key))
            e.preventDefault();
    });
    footer.addEventListener("click", e => {
        const button = e.target.closest("button");
        if (button) {
            button.blur();
            press(button.dataset.key);
        }
    });
    addEventListener("hashchange", () => show(from_address()));
    addEventListener("resize", () => paged() && fit(slides[at]));
    root.classList.add("paged");
    show(from_address());
})();
