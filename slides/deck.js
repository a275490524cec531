// Starts reveal.js over the slides of the page. The keys are reveal.js's own; i is added, the list of decks.
// With ?read the deck is one long page instead, with its notes, for somebody who reads alone.
"use strict";
if (location.search === "?read") {
    document.querySelector(".reveal").className = "";
    document.body.className = "plain";
} else {
    Reveal.initialize({
        width: 1280, height: 720, margin: 0, minScale: 0.1, maxScale: 3, center: false,
        hash: true, slideNumber: "c/t", transition: "none", fragmentInURL: false,
        pdfSeparateFragments: false, pdfMaxPagesPerSlide: 1, autoAnimate: false, help: true,
        keyboard: { 73: () => { location.href = "index.html"; } },
        plugins: [RevealNotes],
    });
    Reveal.registerKeyboardShortcut("I", "List of decks");
}
