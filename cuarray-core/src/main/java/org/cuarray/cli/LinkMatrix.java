package org.cuarray.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.LinkState;
import org.cuarray.PeerLink;
import org.cuarray.cli.Table.Column;

/** The peer links, from the devices in the rows to those in the columns, and why they are so. */
final class LinkMatrix {
  private final CuRuntime cuda;

  LinkMatrix(CuRuntime cuda) {
    this.cuda = cuda;
  }

  /** Tries every link in every kind of memory, by planning a copy that would need it. */
  void prove(Progress progress) {
    List<Transfer> transfers =
        Transfer.all(cuda).stream().filter(transfer -> !transfer.isWithinDevice()).toList();
    for (int i = 0; i < transfers.size(); i++) {
      progress.show(i, transfers.size());
      prove(transfers.get(i));
    }
    progress.clear();
  }

  private static void prove(Transfer transfer) {
    try (CuArray<Byte> source = transfer.from().device().empty(DType.INT8, 1);
        CuArray<Byte> destination = transfer.to().device().empty(DType.INT8, 1)) {
      source.planCopyTo(destination);
    }
  }

  void print(PrintWriter out) {
    if (cuda.devices().size() < 2) {
      return;
    }
    List<PeerLink> links = cuda.topology().links();
    String[] states = links.stream().map(link -> Words.of(link.state())).toArray(String[]::new);
    String[] names = cuda.devices().stream().map(CuDevice::toString).toArray(String[]::new);
    out.printf("%nPeer links, from row to column:%n%n");
    Table table =
        new Table(
            out,
            Stream.concat(
                    Stream.of(Column.of("", names)),
                    Stream.of(names).map(name -> Column.of(name, states)))
                .toArray(Column[]::new));
    table.header();
    cuda.devices().forEach(from -> table.row(row(from)));
    out.println();
    printReasons(links, out);
  }

  private String[] row(CuDevice from) {
    return Stream.concat(
            Stream.of(from.toString()), cuda.devices().stream().map(to -> state(from, to)))
        .toArray(String[]::new);
  }

  private String state(CuDevice from, CuDevice to) {
    return from.equals(to) ? "–" : Words.of(cuda.topology().link(from, to).state());
  }

  /** A machine on which one link is bad is usually one on which all are, for the same reason. */
  private static void printReasons(List<PeerLink> links, PrintWriter out) {
    links.stream()
        .filter(link -> link.state() != LinkState.UNTRIED)
        .collect(
            groupingBy(
                PeerLink::reason,
                LinkedHashMap::new,
                mapping(link -> link.from() + " → " + link.to(), joining(", "))))
        .forEach((reason, which) -> out.printf("%s: %s.%n", which, reason));
    if (links.stream().anyMatch(link -> link.state() == LinkState.UNTRIED)) {
      out.println("Untried links are proved when a copy first needs them; --prove does it now.");
    }
  }
}
