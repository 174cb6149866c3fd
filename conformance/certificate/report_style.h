// SPDX-License-Identifier: Apache-2.0
// The look of report.html: one style sheet, light and dark, no script and nothing fetched. Internal to this room.
#pragma once

namespace assay::conformance {

inline constexpr const char* kReportStyle = R"css(
:root{color-scheme:light dark;--page:#fff;--ink:#1b2129;--soft:#59636f;--line:#d8dde3;--panel:#f5f7f9;
--good:#0d6b3f;--good-bg:#e0f3e8;--bad:#a4161a;--bad-bg:#fde7e7;--warn:#805300;--warn-bg:#fdf1d8;--mark:#ffd84d;--mark-ink:#1b2129}
@media (prefers-color-scheme:dark){:root{--page:#14181d;--ink:#e6eaee;--soft:#9aa5b1;--line:#323a44;--panel:#1c2229;
--good:#6fd6a0;--good-bg:#143526;--bad:#ff9a96;--bad-bg:#441c1e;--warn:#f0c46c;--warn-bg:#3d3015;--mark:#e0b400;--mark-ink:#14181d}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1.5rem 1rem 4rem;background:var(--page);color:var(--ink);
font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .25rem}
h2{font-size:1.2rem;margin:2.5rem 0 .75rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:1.75rem 0 .25rem}
a{color:inherit}
code,pre,.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
.soft{color:var(--soft)}
p{margin:.25rem 0 .5rem;max-width:48rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.375rem .75rem .375rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--soft);font-size:.875rem}
td.n,th.n{text-align:right;white-space:nowrap}
.tag{display:inline-block;padding:.0625rem .5rem;border-radius:.25rem;font-size:.875rem;font-weight:600;white-space:nowrap}
.good{color:var(--good);background:var(--good-bg)}.bad{color:var(--bad);background:var(--bad-bg)}
.warn{color:var(--warn);background:var(--warn-bg)}.none{color:var(--soft);background:var(--panel)}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.125rem 1rem;margin:1rem 0}
.facts dt{color:var(--soft)}.facts dd{margin:0}
.area{display:grid;grid-template-columns:3.5rem 1fr;gap:.25rem .5rem;margin:.375rem 0}
.cells{display:flex;flex-wrap:wrap;gap:.25rem}
.cell{min-width:3.25rem;text-align:center;text-decoration:none;padding:.0625rem .25rem;border-radius:.25rem;font-size:.8125rem;
border:1px solid transparent;white-space:nowrap}
.cell.lower{border:1px dashed var(--line)}
.failure{margin:.75rem 0 1.25rem;padding:.75rem;border:1px solid var(--line);border-radius:.375rem}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;margin-top:.5rem}
.side{min-width:0}
.side b{display:block;font-size:.875rem;color:var(--soft);font-weight:600}
.value{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875rem;white-space:pre-wrap}
pre{margin:.375rem 0 0;padding:.5rem;background:var(--panel);border-radius:.25rem;overflow-x:auto;line-height:1.45;
font-size:.8125rem;overflow-wrap:normal}
mark{background:var(--mark);color:var(--mark-ink);border-radius:.125rem}
summary{cursor:pointer}
ul{margin:.25rem 0;padding-left:1.25rem}
@media (max-width:60rem){.sides{grid-template-columns:1fr}}
@media (max-width:40rem){.facts{grid-template-columns:1fr}.facts dd{margin-bottom:.375rem}.area{grid-template-columns:1fr}
td:first-child{min-width:7rem}.tag{white-space:normal}pre{font-size:.6875rem}}
@media print{body{max-width:none}.failure{break-inside:avoid}}
)css";

}  // namespace assay::conformance
