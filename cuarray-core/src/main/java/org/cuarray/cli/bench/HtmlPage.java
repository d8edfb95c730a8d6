package org.cuarray.cli.bench;

import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.internal.chartpart.Chart;

/** A report as one page that needs no other file. */
final class HtmlPage {
  private static final String STYLE =
      """
      body { font-family: system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em;
             color: #222 }
      table { border-collapse: collapse; margin: 1em 0; font-size: 0.9em }
      th, td { border: 1px solid #ccc; padding: 0.3em 0.6em; text-align: left }
      td.n { text-align: right; font-variant-numeric: tabular-nums }
      .no { background: #fbe3e0 } .yes { background: #e6f4e6 }
      .simulated { background: #fff3c4; padding: 0.6em }
      img { max-width: 100%; border: 1px solid #eee; margin: 0.5em 0 }
      """;

  private final Report report;
  private final StringBuilder html = new StringBuilder();

  private HtmlPage(Report report) {
    this.report = report;
  }

  static String of(Report report, List<Chart<?, ?>> charts) throws IOException {
    return new HtmlPage(report).build(charts);
  }

  private String build(List<Chart<?, ?>> charts) throws IOException {
    html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    html.append("<title>cuarray bench</title>\n<style>\n").append(STYLE).append("</style></head>");
    html.append("<body>\n<h1>cuarray bench</h1>\n");
    machine();
    heading("Beside others, in the same run");
    results();
    for (Chart<?, ?> chart : charts) {
      html.append("<img alt=\"").append(text(chart.getTitle())).append("\" ");
      html.append("src=\"data:image/png;base64,");
      html.append(Base64.getEncoder().encodeToString(Charts.png(chart))).append("\">\n");
    }
    heading("Every figure");
    figures();
    if (!report.skipped().isEmpty()) {
      heading("Not measured");
      skipped();
    }
    return html.append("</body></html>\n").toString();
  }

  private void machine() {
    MachineInfo machine = report.machine();
    if (machine.isSimulated()) {
      html.append("<p class=\"simulated\">A simulated machine: the figures mean nothing.</p>\n");
    }
    paragraph(
        "%s, %s; %s; %s, %d processors"
            .formatted(
                report.started(),
                report.effort(),
                machine.java(),
                machine.system(),
                machine.processors()));
    for (MachineInfo.Device device : machine.devices()) {
      paragraph(
          "cuda:%d: %s, %s, %s"
              .formatted(
                  device.ordinal(), device.name(), ByteText.of(device.bytes()), device.uuid()));
    }
    for (Report.Link link : report.links()) {
      paragraph(
          "cuda:%d → cuda:%d: %s, %s"
              .formatted(
                  link.from(),
                  link.to(),
                  link.strategy().toLowerCase(Locale.ROOT).replace('_', ' '),
                  link.reason()));
    }
  }

  private void results() {
    open("work", "unit", "cuarray", "baseline", "against", "ratio", "target", "met");
    for (Result result : report.results()) {
      Double target = result.target();
      Boolean met = result.met();
      html.append(met == null ? "<tr>" : met ? "<tr class=\"yes\">" : "<tr class=\"no\">");
      cell(result.work());
      cell(result.unit());
      number(ValueText.of(result.cuarray()));
      number(ValueText.of(result.baseline()));
      cell(result.against());
      number(ValueText.of(result.ratio()));
      number(target == null ? "" : ValueText.of(target));
      cell(met == null ? "" : met ? "yes" : "no");
      html.append("</tr>\n");
    }
    html.append("</table>\n");
  }

  private void figures() {
    open(
        "work", "from", "to", "bytes", "who", "unit", "median", "min", "p10", "p90", "max",
        "samples");
    for (Figure figure : report.measurements()) {
      Summary value = figure.value();
      html.append("<tr>");
      cell(figure.work());
      cell(figure.from() == null ? "host" : "cuda:" + figure.from());
      cell(figure.to() == null ? "host" : "cuda:" + figure.to());
      number(ByteText.of(figure.bytes()));
      cell(figure.who());
      cell(figure.unit());
      number(ValueText.of(value.median()));
      number(ValueText.of(value.min()));
      number(ValueText.of(value.p10()));
      number(ValueText.of(value.p90()));
      number(ValueText.of(value.max()));
      number(Integer.toString(value.samples()));
      html.append("</tr>\n");
    }
    html.append("</table>\n");
  }

  private void skipped() {
    open("what", "why");
    for (Skipped skipped : report.skipped()) {
      html.append("<tr>");
      cell(skipped.what());
      cell(skipped.why());
      html.append("</tr>\n");
    }
    html.append("</table>\n");
  }

  private void open(String... headers) {
    html.append("<table><tr>");
    for (String header : headers) {
      html.append("<th>").append(text(header)).append("</th>");
    }
    html.append("</tr>\n");
  }

  private void heading(String words) {
    html.append("<h2>").append(text(words)).append("</h2>\n");
  }

  private void paragraph(String words) {
    html.append("<p>").append(text(words)).append("</p>\n");
  }

  private void cell(String words) {
    html.append("<td>").append(text(words)).append("</td>");
  }

  private void number(String digits) {
    html.append("<td class=\"n\">").append(text(digits)).append("</td>");
  }

  private static String text(String words) {
    return words.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
